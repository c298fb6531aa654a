import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import type { Cell, Column, CellKind, Language, Table } from '../table.ts';

/*
 * A workbook with one sheet, written page by page. Each page is compressed and handed on at once, so that only the current one
 * is in memory.
 */

/** The bytes of a table as an XLSX workbook. */
export async function* xlsxOf({ columns, pages }: Table, language: Language, title: string): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(Buffer.from(bytes));
  });
  const add = (file: ZipPassThrough): ZipPassThrough => (zip.add(file), file);
  for (const [name, text] of Object.entries(fixedParts(title))) add(new ZipPassThrough(name)).push(bytesOf(text), true);
  const sheet = add(new DeflatedPart('xl/worksheets/sheet1.xml'));
  sheet.push(bytesOf(sheetStart(columns, language)));
  let rowNumber = 1;
  for await (const page of pages) {
    sheet.push(bytesOf(page.map((row) => rowXml(row, columns, ++rowNumber)).join('')));
    yield* ready.splice(0);
  }
  sheet.push(bytesOf('</sheetData></worksheet>'), true);
  zip.end();
  yield* ready;
}

/** A part of the archive that is deflated by Node. With the compressor of fflate, a file took more than twice the CPU time. */
class DeflatedPart extends ZipPassThrough {
  override compression = 8;

  protected override process(chunk: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    // The blocks of a deflated stream can be made one by one if each ends at a whole byte.
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, deflateRawSync(chunk, { finishFlush }), isLast);
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Buffer.from(text);

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The positions of the formats in `cellXfs`. */
const styles: Readonly<Record<CellKind | 'heading', number>> = {
  ...{ text: 0, number: 0, flag: 0, heading: 1, hours: 2, day: 3, time: 4 },
};

const fixedParts = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="2" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});

const widths: Readonly<Record<CellKind, number>> = { text: 20, number: 12, flag: 10, hours: 12, day: 12, time: 18 };

/** The heading stays in sight, and columns are wide enough for what they hold. */
const sheetStart = (columns: readonly Column[], language: Language): string =>
  `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map(({ kind }, index) => `<col min="${index + 1}" max="${index + 1}" width="${widths[kind]}" customWidth="1"/>`)
    .join('')}</cols><sheetData><row r="1">${columns
    .map(({ heading }, index) => textXml(heading[language], `<c r="${letterOf(index)}1" s="${styles.heading}"`))
    .join('')}</row>`;

const rowXml = (row: readonly Cell[], columns: readonly Column[], number: number): string =>
  `<row r="${number}">${row.map((cell, index) => cellXml(cell, columns[index]!.kind, `${letterOf(index)}${number}`)).join('')}</row>`;

/** The name of a column: A to Z, then AA. */
const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

function cellXml(cell: Cell, kind: CellKind, address: string): string {
  const start = `<c r="${address}" s="${styles[kind]}"`;
  if (cell === null || cell === '') return `${start}/>`;
  if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`;
  return kind === 'day' || kind === 'time' ? `${start}><v>${serialOf(cell)}</v></c>` : textXml(cell, start);
}

/** A text is no formula, whatever it begins with. */
const textXml = (text: string, start: string): string =>
  `${start} t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, maxCellLength))}</t></is></c>`;

const maxCellLength = 32_767;
const dayMs = 86_400_000;

/** The days since the beginning of time as spreadsheets count it. */
const serialOf = (isoText: string): number =>
  Date.parse(isoText.length === 10 ? isoText : `${isoText}Z`) / dayMs + 25_569;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML cannot hold are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);

import { createRequire } from 'node:module';
import path from 'node:path';
import PDFDocument from 'pdfkit';
import { sumOf } from '../../../days/calendar/amounts.ts';
import { weekdayOf, type LocalDate } from '../../../days/calendar/dates.ts';
import type { Language } from '../table.ts';
import { sheetLines, type SheetLine, type SheetLines } from '../tables/sheet_lines.ts';
import type { Sheet, SheetDay } from '../tables/timesheets.ts';

/*
 * Timesheets as PDF: A4, a page for each user and month. pdfkit hands on a page as soon as the next one begins, so that a file of
 * any length needs little memory.
 */

const words = {
  en: { title: 'Timesheet', staffNumber: 'Staff number', opening: 'Opening balance', total: 'Total', rounding: 'Rounding', closing: 'Closing balance', employee: 'Employee', employer: 'Employer' }, // prettier-ignore
  de: { title: 'Stundenzettel', staffNumber: 'Personalnummer', opening: 'Anfangssaldo', total: 'Summe', rounding: 'Rundung', closing: 'Endsaldo', employee: 'Mitarbeiter/in', employer: 'Arbeitgeber' }, // prettier-ignore
} as const;

const headings: Readonly<Record<Language, readonly string[]>> = {
  en: ['Date', 'Start', 'End', 'Breaks', 'Worked', 'Target', 'Credit', 'Adjust.', 'Not counted', 'Change', 'Balance', 'Absence', 'Confirmed by'], // prettier-ignore
  de: ['Datum', 'Beginn', 'Ende', 'Pausen', 'Ist', 'Soll', 'Gutschrift', 'Korrektur', 'Nicht gezählt', 'Veränd.', 'Saldo', 'Abwesenheit', 'Bestätigt durch'], // prettier-ignore
};

const left = 22;
const right = 574;

/** The widths of the columns in points, and whether they hold numbers. */
const columns = [62, 32, 32, 34, 36, 36, 42, 42, 40, 40, 44, 58, 54].map((width, index, widths) => ({
  width,
  isNumber: index >= 3 && index <= 10,
  left: left + sumOf(widths.slice(0, index), (one) => one),
}));

const top = 92;
const bottom = 776;

/** The fonts have the letters of most European languages, unlike those that every PDF reader has. */
const fontFile = (name: string): string =>
  path.join(
    path.dirname(createRequire(path.join(import.meta.dirname, 'pdf.ts')).resolve('dejavu-fonts-ttf/package.json')),
    'ttf',
    name,
  );

/** The bytes of timesheets as PDF. */
export async function* pdfOf(sheets: AsyncIterable<Sheet>, language: Language): AsyncGenerator<Buffer> {
  const doc = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false, info: { Title: words[language].title } });
  const ready: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => void doc.on('end', resolve).on('error', reject));
  doc.on('data', (bytes: Buffer) => void ready.push(bytes));
  doc.registerFont('regular', fontFile('DejaVuSansCondensed.ttf'));
  doc.registerFont('bold', fontFile('DejaVuSansCondensed-Bold.ttf'));
  let isEmpty = true;
  for await (const sheet of sheets) {
    isEmpty = false;
    drawSheet(doc.addPage(), sheet, language);
    yield* ready.splice(0);
  }
  if (isEmpty) doc.addPage();
  doc.end();
  await ended;
  yield* ready;
}

type Page = InstanceType<typeof PDFDocument>;
type Font = 'regular' | 'bold';

function drawSheet(page: Page, sheet: Sheet, language: Language): void {
  const { title, staffNumber, opening, total, rounding, closing, employee, employer } = words[language];
  const lines = sheetLines(sheet.days);
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  page.font('bold', 15).text(`${title} ${month.format(new Date(sheet.month))}`, left, 30, { lineBreak: false });
  page.font('regular', 10).text(sheet.company, left, 52, { width: right - left, height: 14, ellipsis: true });
  const name = sheet.staffNumber ? `${sheet.username} · ${staffNumber} ${sheet.staffNumber}` : sheet.username;
  page.text(name, left, 68, { width: right - left, height: 14, ellipsis: true });
  let y = drawRow(page, headings[language], top, 'bold');
  y = drawRow(page, balanceRow(opening, lines.opening, language), y, 'regular');
  const draw = (cells: readonly string[], font: Font): void => {
    // Days with a lot of work take several lines, and a month of them more than a page.
    if (y + heightOf(page, cells, font) > bottom) y = drawRow(page.addPage(), headings[language], 36, 'bold');
    y = drawRow(page, cells, y, font);
  };
  sheet.days.forEach((day, index) => draw(cellsOf(day, lines.days[index]!, language), 'regular'));
  draw([total, '', '', ...amountsOf(lines.totals, language)], 'bold');
  if (lines.rounding !== 0) draw(balanceRow(rounding, lines.rounding, language), 'regular');
  draw(balanceRow(closing, lines.closing, language), 'bold');
  page.font('regular', 8);
  [employee, employer].forEach((signer, index) => {
    const start = left + index * 300;
    page
      .moveTo(start, 814)
      .lineTo(start + 240, 814)
      .lineWidth(0.5)
      .stroke();
    page.text(signer, start, 818, { lineBreak: false });
  });
}

/** The height of a row, which depends on the cell with the most lines. */
function heightOf(page: Page, cells: readonly string[], font: Font): number {
  page.font(font, 7);
  return Math.max(...cells.map((cell, index) => page.heightOfString(cell, { width: columns[index]!.width - 4 }))) + 7;
}

/** Draws a row, and returns where the next one begins. */
function drawRow(page: Page, cells: readonly string[], y: number, font: Font): number {
  const end = y + heightOf(page, cells, font);
  columns.forEach(({ width, isNumber, left: start }, index) =>
    page.text(cells[index] ?? '', start + 2, y + 4, { width: width - 4, align: isNumber ? 'right' : 'left' }),
  );
  page.moveTo(left, end).lineTo(right, end).lineWidth(0.2).stroke();
  return end;
}

const cellsOf = (day: SheetDay, line: SheetLines['days'][number], language: Language): string[] => [
  dateIn(day.date, language),
  day.starts.join(', '),
  day.ends.join(', '),
  ...amountsOf(line, language),
  hoursIn(line.balance, language),
  day.absence,
  day.confirmedBy,
];

/** The amounts of a line. Those that most days lack are blank there. */
const amountsOf = (line: SheetLine, language: Language): string[] => {
  const { breaks, worked, target, credits, adjustment, uncounted, change } = line;
  const seldom = [credits, adjustment, uncounted].map((amount) => (amount === 0 ? '' : hoursIn(amount, language)));
  return [...[breaks, worked, target].map((amount) => hoursIn(amount, language)), ...seldom, hoursIn(change, language)];
};

/** A row with nothing but an amount in the column of the balance. */
const balanceRow = (name: string, amount: number, language: Language): string[] => [
  name,
  ...Array.from({ length: 9 }, () => ''),
  hoursIn(amount, language),
];

const hoursIn = (hundredths: number, language: Language): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false }).format(hundredths / 100);

const weekdays = {
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  de: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
} as const;

const dateIn = (date: LocalDate, language: Language): string =>
  `${weekdays[language][weekdayOf(date)]} ${language === 'de' ? date.split('-').toReversed().join('.') : date}`;

import { createRequire } from 'node:module';
import path from 'node:path';
import PDFDocument from 'pdfkit';
import { weekdayOf, type LocalDate } from '../../calendar/dates.ts';
import { sumOf } from '../../calendar/amounts.ts';
import { hoursOf } from '../../calendar/worked_time.ts';
import type { Language } from '../table.ts';
import type { Sheet, SheetDay } from '../tables/timesheets.ts';

/*
 * Timesheets as PDF: A4, a page for each user and month. pdfkit hands on a page as soon as the next one begins, so that a file of
 * any length needs little memory.
 */

const words = {
  en: { title: 'Timesheet', staffNumber: 'Staff number', total: 'Total', employee: 'Employee', employer: 'Employer' },
  de: { title: 'Stundenzettel', staffNumber: 'Personalnummer', total: 'Summe', employee: 'Mitarbeiter/in', employer: 'Arbeitgeber' }, // prettier-ignore
} as const;

const headings: Readonly<Record<Language, readonly string[]>> = {
  en: ['Date', 'Start', 'End', 'Breaks', 'Net', 'Target', 'Absence', 'Balance', 'Confirmed by'],
  de: ['Datum', 'Beginn', 'Ende', 'Pausen', 'Netto', 'Soll', 'Abwesenheit', 'Saldo', 'Bestätigt durch'],
};

/** The widths of the columns in points, and whether they hold numbers. */
const columns = [
  ...[{ width: 68 }, { width: 56 }, { width: 56 }],
  ...[
    { width: 46, isNumber: true },
    { width: 46, isNumber: true },
    { width: 46, isNumber: true },
  ],
  ...[{ width: 84 }, { width: 46, isNumber: true }, { width: 94 }],
].map(({ width, isNumber = false }, index, all) => ({
  width,
  isNumber,
  left: 32 + all.slice(0, index).reduce((sum, one) => sum + one.width, 0),
}));

const top = 90;
const bottom = 760;

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

function drawSheet(page: Page, sheet: Sheet, language: Language): void {
  const { title, staffNumber, total, employee, employer } = words[language];
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  page.font('bold', 15).text(`${title} ${month.format(new Date(sheet.month))}`, 32, 36, { lineBreak: false });
  const name = sheet.staffNumber ? `${sheet.username} · ${staffNumber} ${sheet.staffNumber}` : sheet.username;
  page.font('regular', 10).text(name, 32, 62, { width: 530, height: 24, ellipsis: true });
  let y = drawRow(page, headings[language], top, 'bold');
  for (const day of sheet.days) {
    const cells = cellsOf(day, language);
    // Days with a lot of work take several lines, and a month of them more than a page.
    if (y + heightOf(page, cells, 'regular') > bottom) y = drawRow(page.addPage(), headings[language], 36, 'bold');
    y = drawRow(page, cells, y, 'regular');
  }
  drawRow(page, totalsOf(sheet, total, language), y + 2, 'bold');
  page.font('regular', 8);
  [employee, employer].forEach((signer, index) => {
    const left = 32 + index * 290;
    page.moveTo(left, 806).lineTo(left + 240, 806).lineWidth(0.5).stroke(); // prettier-ignore
    page.text(signer, left, 810, { lineBreak: false });
  });
}

/** The height of a row, which depends on the cell with the most lines. */
function heightOf(page: Page, cells: readonly string[], font: 'regular' | 'bold'): number {
  page.font(font, 7.5);
  return Math.max(...cells.map((cell, index) => page.heightOfString(cell, { width: columns[index]!.width - 8 }))) + 7;
}

/** Draws a row, and returns where the next one begins. */
function drawRow(page: Page, cells: readonly string[], y: number, font: 'regular' | 'bold'): number {
  const end = y + heightOf(page, cells, font);
  columns.forEach(({ width, isNumber, left }, index) =>
    page.text(cells[index] ?? '', left + 4, y + 4, { width: width - 8, align: isNumber ? 'right' : 'left' }),
  );
  page.moveTo(32, end).lineTo(562, end).lineWidth(0.2).stroke();
  return end;
}

const cellsOf = (day: SheetDay, language: Language): string[] => [
  dateIn(day.date, language),
  day.starts.join(', '),
  day.ends.join(', '),
  hoursIn(day.breaks, language),
  hoursIn(day.worked.all, language),
  hoursIn(day.target, language),
  day.absence,
  hoursIn(day.balance.all, language),
  day.confirmedBy,
];

const totalsOf = ({ days }: Sheet, total: string, language: Language): string[] => {
  const sum = (seconds: (day: SheetDay) => number): string => hoursIn(sumOf(days, seconds), language);
  return [total, '', '', sum((day) => day.breaks), sum((day) => day.worked.all), sum((day) => day.target), '', hoursIn(days.at(-1)!.balance.all, language)]; // prettier-ignore
};

const hoursIn = (seconds: number, language: Language): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false }).format(hoursOf(seconds));

const weekdays = {
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  de: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
} as const;

const dateIn = (date: LocalDate, language: Language): string =>
  `${weekdays[language][weekdayOf(date)]} ${language === 'de' ? date.split('-').toReversed().join('.') : date}`;

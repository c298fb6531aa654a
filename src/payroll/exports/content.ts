import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lodasFile, lohnUndGehaltFile } from './datev/files.ts';
import { datevMonth } from './datev/months.ts';
import type { Coverage, Resource } from './request.ts';
import { idsOf } from './sources.ts';
import type { Language, Table } from './table.ts';
import { absenceLineColumns, readAbsences } from './tables/absences.ts';
import { tableOfRecords } from './tables/records.ts';
import { absenceSumsOf, workSums } from './tables/sums.ts';
import { readTimeTrackings, timeTrackingColumns } from './tables/time_trackings.ts';
import { sheetsOf, timesheetTable } from './tables/timesheets.ts';
import { contentTypes, csv, pdf, xlsx } from './writers/writers.ts';

/** The parts of a file. */
export interface Described {
  readonly id: number;
  readonly resource: string;
  readonly export_type: string;
  readonly format: string;
  readonly locale: string;
  /** Its scope, as it is stored. */
  readonly input: unknown;
  readonly created_at: Date;
}

/** Is told how much of a file is made, from 0 to 1. */
export type Progress = (share: number) => void;

/** The content of the file of an export, and its writer. */
export interface Content {
  readonly name: string;
  readonly contentType: string;
  readonly write: (db: Db, actor: WorkspaceActor, isDone: Progress) => AsyncIterable<Buffer>;
}

/** The content of an export. Running time trackings are counted up to the time of the request. */
export function contentOf(row: Described): Content {
  const resource = row.resource as Resource;
  const language = row.locale as Language;
  if (row.format === 'txt') return datevContent(row);
  const noun = row.export_type === 'timesheet' ? 'timesheets' : resource;
  return {
    name: `${noun}-${utcForm(row.created_at).slice(0, 10)}-${row.id}.${row.format}`,
    contentType: contentTypes[row.format as keyof typeof contentTypes],
    async *write(db, actor, isDone) {
      if (row.format === 'pdf') return yield* pdf(sheetsOf(db, actor, coverageIn(row), isDone), language);
      const table = await tableOf(db, actor, row, isDone);
      yield* row.format === 'csv' ? csv(table, language) : xlsx(table, language, titles[noun][language]);
    },
  };
}

/** A file for DATEV. It is small, and is made in one piece. */
const datevContent = (row: Described): Content => ({
  name: `${row.export_type}-${coverageIn(row).from}-${row.id}.txt`,
  contentType: contentTypes.txt,
  async *write(db, actor) {
    yield await datevBytes(db, actor, row.export_type, coverageIn(row));
  },
});

async function datevBytes(
  db: Db,
  actor: WorkspaceActor,
  exportType: string,
  { from, to, user_ids }: Coverage,
): Promise<Buffer> {
  const month = await datevMonth(db, actor, { range: { from: from!, to: to! }, userIds: user_ids });
  return exportType === 'datev_lodas' ? lodasFile(month) : lohnUndGehaltFile(month);
}

const titles = {
  time_trackings: { en: 'Time trackings', de: 'Zeiterfassungen' },
  absences: { en: 'Absences', de: 'Abwesenheiten' },
  timesheets: { en: 'Timesheets', de: 'Stundenzettel' },
} as const;

const coverageIn = ({ input }: Described): Coverage => input as Coverage;

async function tableOf(db: Db, actor: WorkspaceActor, row: Described, isDone: Progress): Promise<Table> {
  const resource = row.resource as Resource;
  const now = row.created_at;
  const coverage = coverageIn(row);
  if (row.export_type === 'timesheet') return timesheetTable(sheetsOf(db, actor, coverage, isDone));
  if (row.export_type === 'sum')
    return resource === 'absences' ? absenceSumsOf(db, actor, coverage) : workSums(db, actor, coverage, now);
  const ids = await idsOf(db, actor, resource, coverage, now);
  return resource === 'absences'
    ? tableOfRecords(absenceLineColumns, ids, (page) => readAbsences(db, actor, page), isDone)
    : tableOfRecords(timeTrackingColumns, ids, (page) => readTimeTrackings(db, actor, page, now), isDone);
}

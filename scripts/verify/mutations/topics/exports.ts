import type { Mutation } from '../mutation.ts';

/** Exports: what they cover, who reads them, and what is left of an attempt. */
export const exportMutations: readonly Mutation[] = [
  {
    file: 'src/platform/core/permissions.ts',
    find: 'export: { read: isOwn },',
    replace: 'export: { read: isAtLeast(rank.employee) },',
    breaks: 'Everybody in the workspace reads the exports of others.',
    tests: ['test/api/v3/payroll/exports/list_exports.test.ts'],
  },
  {
    file: 'src/payroll/exports/tables/sums.ts',
    find: "(sumsUpOthers(actor) ? matching : matching.where('time_trackings.user_id', '=', actor.userId!))",
    replace: 'matching',
    breaks: 'Employees get sums of users whose time trackings they follow.',
    tests: ['test/api/v3/payroll/exports/timesheets.test.ts'],
  },
  {
    file: 'src/platform/files/made_files.ts',
    find: 'if (row.file_id !== null) await removeFiles(tx, accountId, [row.file_id]);',
    replace: '',
    breaks: 'What a killed worker has stored of a file stays for ever.',
    tests: ['test/api/v3/payroll/exports/attempts.test.ts'],
  },
  {
    file: 'src/payroll/exports/writers/csv.ts',
    find: "bom: language === 'de'",
    replace: 'bom: false',
    breaks: 'A German spreadsheet shows the umlauts of a CSV file as other characters.',
    tests: ['test/api/v3/payroll/exports/list_exports.test.ts'],
  },
  {
    file: 'src/platform/files/made_files.ts',
    find: 'error instanceof AppError && error.status < 500',
    replace: 'error instanceof AppError',
    breaks: 'An export fails for good while the object store is down for a moment.',
    tests: ['test/api/shared/platform/file_storage/failures.test.ts'],
  },
  {
    file: 'src/platform/files/storage/housekeeping.ts',
    find: 'if (modifiedAt < newest) keys.push(key);',
    replace: 'keys.push(key);',
    breaks: 'Housekeeping removes the object of an upload whose transaction is still open.',
    tests: ['test/api/shared/platform/file_storage/failures.test.ts'],
  },
  {
    file: 'src/platform/files/storage/move.ts',
    find: "db.selectFrom('files').where('is_complete', '=', true)",
    replace: "db.selectFrom('files')",
    breaks: 'A file that is still being written is moved, and loses what is written later.',
    tests: ['test/api/shared/platform/file_storage/move.test.ts'],
  },
];

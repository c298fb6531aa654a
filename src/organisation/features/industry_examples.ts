import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';

const columns = listColumns('listIndustryExamples', 'industry_examples');

/** The industries that a new customer can choose from, which are the same for all accounts. */
export const listIndustryExamples = (db: Db, selection: Selection) =>
  list(
    db,
    {
      visible: db.selectFrom('industry_examples'),
      rows: db.selectFrom('industry_examples').selectAll(),
      id: 'industry_examples.id',
      idKind: 'text',
      columns,
      timeZone: 'UTC',
      defaultSort: ['id'],
    },
    selection,
  );

import type { Db } from '../db/connection.ts';
import { list, type Selection } from '../db/list.ts';
import { listColumns } from '../db/list_columns.ts';

const columns = listColumns('listIndustryExamples', 'industry_examples');

/** The industries a newcomer can choose from: the same for everybody. */
export const listIndustryExamples = (db: Db, selection: Selection) =>
  list(
    db,
    {
      visible: db.selectFrom('industry_examples'),
      rows: db.selectFrom('industry_examples').selectAll(),
      id: 'industry_examples.id',
      columns,
      defaultSort: ['id'],
    },
    selection,
  );

import type { Db } from '../db/connection.ts';
import { text, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';

const columns: Columns = {
  id: text('industry_examples.id'),
  name: text('industry_examples.name'),
  label: text('industry_examples.label'),
};

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

import * as fields from '../../generated/fields.ts';
import { resource } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { listIndustryExamples } from './industry_examples.ts';

const industryExample = resource('industry_example', fields.IndustryExample);

export const industryExampleHandlers = v3.part({
  async listIndustryExamples(call) {
    const { rows, paging } = await listIndustryExamples(call.db, call.view);
    return {
      data: rows.map(({ id, name, label }) => industryExample({ id, name, label })),
      meta: paging,
    };
  },
});

import { presenter } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { listIndustryExamples } from './industry_examples.ts';

const industryExample = presenter<Schemas['IndustryExample']>('industry_example');

export const industryExampleHandlers = v3.part({
  async listIndustryExamples(call) {
    const { rows, paging } = await listIndustryExamples(call.db, call.view);
    return {
      data: rows.map(({ id, name, label }) => industryExample({ id, attributes: { name, label } })),
      meta: paging,
    };
  },
});

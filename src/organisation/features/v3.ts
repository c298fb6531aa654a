import * as fields from '../../../generated/fields.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { featuresOf } from './features.ts';
import { listIndustryExamples } from './industry_examples.ts';
import { timeTrackingMethods } from './time_tracking_methods.ts';

const feature = resource('feature', fields.Feature);
const industryExample = resource('industry_example', fields.IndustryExample);
const timeTrackingMethod = resource('time_tracking_method', fields.TimeTrackingMethod);

export const featureHandlers = v3.part({
  async getFeatures({ actor }) {
    return { data: featuresOf(actor).map(({ id, ...attributes }) => feature({ id, ...attributes })) };
  },

  async getTimeTrackingMethods({ actor }) {
    const methods = timeTrackingMethods(actor.workspace.locale);
    return { data: methods.map(({ id, ...attributes }) => timeTrackingMethod({ id, ...attributes })) };
  },

  async listIndustryExamples(call) {
    const { rows, paging } = await listIndustryExamples(call.db, call.queryOptions);
    return { data: rows.map(({ id, name, label }) => industryExample({ id, name, label })), meta: paging };
  },
});

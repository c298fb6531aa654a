import * as fields from '../../generated/fields.ts';
import { resource } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { featuresOf } from './features.ts';
import { timeTrackingMethods } from './time_tracking_methods.ts';

const feature = resource('feature', fields.Feature);
const timeTrackingMethod = resource('time_tracking_method', fields.TimeTrackingMethod);

export const featureHandlers = v3.part({
  async getFeatures({ actor }) {
    return { data: featuresOf(actor).map(({ id, ...attributes }) => feature({ id, ...attributes })) };
  },

  async getTimeTrackingMethods({ actor }) {
    const methods = timeTrackingMethods(actor.workspace.locale);
    return { data: methods.map(({ id, ...attributes }) => timeTrackingMethod({ id, ...attributes })) };
  },
});

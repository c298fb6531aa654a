import type { components } from '../../generated/v3.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { featuresOf } from './features.ts';
import { timeTrackingMethods } from './time_tracking_methods.ts';

const feature = presenter<components['schemas']['Feature']>('feature');
const timeTrackingMethod = presenter<components['schemas']['TimeTrackingMethod']>('time_tracking_method');

export const featureHandlers = v3.part({
  async getFeatures({ actor }) {
    return { data: featuresOf(actor).map(({ id, ...attributes }) => feature({ id, attributes })) };
  },

  async getTimeTrackingMethods({ actor }) {
    const methods = timeTrackingMethods(actor.workspace.locale);
    return { data: methods.map(({ id, ...attributes }) => timeTrackingMethod({ id, attributes })) };
  },
});

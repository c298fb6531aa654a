import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import {
  createWageType,
  deleteWageType,
  findWageType,
  listWageTypes,
  updateWageType,
  type WageTypeRow,
} from './wage_types.ts';

type WageType = components['schemas']['WageType'];

const wageType = resource('wage_type', fields.WageType);

const presentWageType = ({ id, number, title, source, unit, absence_key }: WageTypeRow) =>
  wageType({ id, number, title, source, unit: unit as WageType['attributes']['unit'], absence_key });

export const wageTypeHandlers = v3.part({
  async listWageTypes({ db, actor, queryOptions }) {
    const { rows, paging } = await listWageTypes(db, actor, queryOptions);
    return { data: rows.map(presentWageType), meta: paging };
  },

  async getWageType({ db, actor, params }) {
    return { data: presentWageType(await findWageType(db, actor, params.wage_type_id)) };
  },

  async createWageType({ db, actor, body, now }) {
    return { data: presentWageType(await createWageType(db, actor, body.data.attributes, now)) };
  },

  async updateWageType({ db, actor, params, body, now }) {
    const { attributes } = body.data;
    return { data: presentWageType(await updateWageType(db, actor, params.wage_type_id, attributes, now)) };
  },

  async deleteWageType({ db, actor, params, now }) {
    return { data: presentWageType(await deleteWageType(db, actor, params.wage_type_id, now)) };
  },
});

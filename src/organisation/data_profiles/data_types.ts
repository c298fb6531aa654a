import type { components } from '../../../generated/v3.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { isDay } from '../../platform/core/time.ts';

export type DataType = components['schemas']['CustomFieldDataType'];

/** The form of the values of a type. */
interface Form {
  readonly fits: (value: string) => boolean;
  readonly inWords: string;
}

/** The codes that `Intl` knows beside the countries of ISO 3166-1: groups, parts of countries, and codes for private use. */
const noCountries = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ');
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Former countries have a name too, but their code stands for another one. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !noCountries.includes(code) &&
  regionNames.of(code) !== undefined &&
  new Intl.Locale(`und-${code}`).region === code;

const forms: Readonly<Record<DataType, Form>> = {
  string: { fits: () => true, inWords: 'any text' },
  float: { fits: (value) => /^-?\d{1,15}(\.\d{1,15})?$/.test(value), inWords: 'a number with a point, such as -7.5' },
  boolean: { fits: (value) => value === 'true' || value === 'false', inWords: 'true or false' },
  date: { fits: isDay, inWords: 'a date such as 2027-12-31' },
  time: { fits: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), inWords: 'a time such as 07:30' },
  country_select: { fits: isCountry, inWords: 'an ISO 3166-1 code of a country, such as DE' },
};

/** Whether a value has the form of a type. */
export const fits = (type: DataType, value: string): boolean => forms[type].fits(value);

interface TypedField {
  readonly title: string;
  readonly data_type: string;
}

/** The problem of a value that does not have the form of its field's type. No value, or an empty one, fits every type. */
export function formProblems(pointer: string, { title, data_type }: TypedField, value: string | null): Problem[] {
  const type = data_type as DataType;
  if (!value || fits(type, value)) return [];
  const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  return [{ code: 'invalid_format', pointer, title: `${pointer} "${shown}" must be ${forms[type].inWords}, because the field "${title}" has the data_type ${type}.` }]; // prettier-ignore
}

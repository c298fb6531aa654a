import type { components } from '../../../generated/v3.ts';

type Attributes = components['schemas']['TimeTrackingMethod']['attributes'];

/** The ways to record time. Their ids count from 1. */
const methods: readonly { readonly name: Attributes['name']; readonly english: string; readonly german: string }[] = [
  { name: 'via_time_tracking', english: 'Entered by hand', german: 'Von Hand eingetragen' },
  { name: 'via_roster', english: 'From the roster', german: 'Aus dem Dienstplan' },
  { name: 'via_browser_time_clock', english: 'Time clock in the browser', german: 'Stempeluhr im Browser' },
  { name: 'via_app', english: 'App', german: 'App' },
  { name: 'via_terminal_app', english: 'Terminal', german: 'Terminal' },
];

/** The ways to record time, with their names in a language. */
export const timeTrackingMethods = (locale: string): (Attributes & { readonly id: number })[] =>
  methods.map(({ name, english, german }, index) => ({
    id: index + 1,
    name,
    localized_name: locale.startsWith('de') ? german : english,
    disabled: false,
    hint: null,
  }));

import type { Problem } from '../../platform/core/errors.ts';
import { dayOfIso, localDay } from '../../platform/core/time.ts';

/* The days on which an entitlement can be used. */

export interface EntitlementPeriod {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly transfer_remaining: boolean;
  readonly end_of_transfer_period: string | null;
}

/** The days in a request: plain days, or times that lie in them. In the public API the period goes by two pairs of names. */
export interface PeriodInput {
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly transfer_remaining?: boolean;
  readonly end_of_transfer_period?: string | null;
}

/** The current year in that zone, without a transfer. */
export function thisYear(now: Date, zone: string): EntitlementPeriod {
  const year = localDay(now, zone).slice(0, 4);
  return {
    starts_at: `${year}-01-01`,
    ends_at: `${year}-12-31`,
    transfer_remaining: false,
    end_of_transfer_period: null,
  };
}

/** The period after a change. What the input does not name stays. */
export function changedPeriod(before: EntitlementPeriod, input: PeriodInput, zone: string): EntitlementPeriod {
  const dayOf = (text: string | undefined, otherwise: string): string =>
    text === undefined ? otherwise : dayOfIso(text, zone);
  const { transfer_remaining = before.transfer_remaining, end_of_transfer_period: end } = input;
  return {
    starts_at: dayOf(input.start_date ?? input.starts_at, before.starts_at),
    ends_at: dayOf(input.end_date ?? input.ends_at, before.ends_at),
    transfer_remaining,
    end_of_transfer_period:
      typeof end === 'string' ? dayOfIso(end, zone) : end === null ? null : before.end_of_transfer_period,
  };
}

/** Everything that is wrong with a period, and with the names that a request gives it. */
export const periodProblems = (period: EntitlementPeriod, input: PeriodInput = {}): Problem[] => [
  ...synonymProblems(input),
  ...orderProblems(period),
  ...transferProblems(period),
];

function synonymProblems(input: PeriodInput): Problem[] {
  const differs = (one: 'start_date' | 'end_date', other: 'starts_at' | 'ends_at'): Problem[] =>
    input[one] === undefined || input[other] === undefined || input[one] === input[other]
      ? []
      : [
          {
            code: 'contradiction',
            pointer: other,
            title: `${other} and ${one} mean the same, but were "${input[other]}" and "${input[one]}".`,
          },
        ];
  return [...differs('start_date', 'starts_at'), ...differs('end_date', 'ends_at')];
}

const orderProblems = ({ starts_at, ends_at }: EntitlementPeriod): Problem[] =>
  ends_at >= starts_at
    ? []
    : [
        {
          code: 'out_of_range',
          pointer: 'ends_at',
          title: `ends_at must not lie before starts_at, which is ${starts_at}, but was ${ends_at}.`,
        },
      ];

function transferProblems({ ends_at, transfer_remaining, end_of_transfer_period: end }: EntitlementPeriod): Problem[] {
  const pointer = 'end_of_transfer_period';
  if (end === null)
    return transfer_remaining
      ? [{ code: 'required', pointer, title: `${pointer} is required, because transfer_remaining is true.` }]
      : [];
  return end > ends_at
    ? []
    : [
        {
          code: 'out_of_range',
          pointer,
          title: `${pointer} must lie after ends_at, which is ${ends_at}, but was ${end}.`,
        },
      ];
}

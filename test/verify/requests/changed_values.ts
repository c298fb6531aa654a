import type { Schema as BlankSchema } from '../../../src/platform/http/contract_document.ts';
import type { Tenant } from '../../support/contract/tenant/tenant.ts';

/* Another value for a member of a record, as its schema allows it, and whether a read shows it. */

type Schema = BlankSchema & { readonly minimum?: number; readonly maximum?: number; readonly maxLength?: number };

/** A value that differs from the one that a record has. */
export function changedValue(name: string, current: unknown, schema: Schema, tenant: Tenant): unknown {
  const allowed = (schema.enum ?? []).filter((value) => value !== null && value !== current);
  if (allowed.length > 0) return allowed[0];
  const types = [schema.type ?? (Array.isArray(current) ? 'array' : typeof current)].flat();
  if (types.includes('array')) return Array.isArray(current) && current.length > 0 ? [] : [String(idFor(name, tenant))];
  if (types.includes('boolean')) return current !== true;
  if (types.includes('integer') || types.includes('number')) return changedNumber(name, current, schema, tenant);
  if (types.includes('string') || current === null) return changedText(name, current, schema, tenant);
  if (types.includes('object') || (typeof current === 'object' && current !== null)) return changedObject(current);
  return changedText(name, current, schema, tenant);
}

function changedNumber(name: string, current: unknown, schema: Schema, tenant: Tenant): number {
  if (/_id$/.test(name)) return Number(idFor(name, tenant));
  const next = Number(current ?? 0) + 7;
  return schema.maximum !== undefined && next > schema.maximum ? (schema.minimum ?? 0) : next;
}

function changedText(name: string, current: unknown, { format, maxLength }: Schema, tenant: Tenant): string {
  const moment = typeof current === 'string' ? Date.parse(current) : NaN;
  const isDay = format === 'date' || (typeof current === 'string' && /^\d{4}-\d\d-\d\d$/.test(current));
  const isTime = !isDay && (format === 'date-time' || (/_(at|start|end)$/.test(name) && !Number.isNaN(moment)));
  if (isTime || isDay) {
    const later = new Date((Number.isNaN(moment) ? Date.UTC(2026, 2, 2) : moment) + (isTime ? 60_000 : 86_400_000));
    return isTime ? later.toISOString() : later.toISOString().slice(0, 10);
  }
  if (/_id$/.test(name)) return String(idFor(name, tenant));
  if (/email/.test(name)) return `changed-${tenant.mark}@example.com`;
  if (/url$|avatar/.test(name)) return 'https://changed.example.com/';
  if (/color$/.test(name)) return '#ABCDEF';
  if (/zone$/.test(name)) return current === 'London' ? 'Berlin' : 'London';
  if (/locale$/.test(name)) return current === 'de' ? 'en' : 'de';
  if (/region$/.test(name)) return current === 'DE-BE' ? 'DE-BY' : 'DE-BE';
  return /pin$/.test(name)
    ? '7391'
    : `${typeof current === 'string' ? current.slice(0, 30) : ''} changed`.trim().slice(0, maxLength);
}

/** The same members, one of which differs. */
function changedObject(current: unknown): unknown {
  const [first, ...others] = Object.entries((current ?? { changed: false }) as Record<string, unknown>);
  // A relationship, which loses what it names.
  if (first?.[0] === 'data') return { data: Array.isArray(first[1]) ? [] : null };
  return first ? Object.fromEntries([[first[0], first[1] !== true], ...others]) : { changed: true };
}

/** The id of a record that the member can refer to. */
function idFor(name: string, { ids, areaAdmin, otherWorkspaceId }: Tenant): string | number {
  if (/location|workspace/.test(name)) return otherWorkspaceId;
  const kind = name.replace(/^working_/, '').replace(/_ids?$|s$/, '');
  return /user|author|follower|employee/.test(name) ? areaAdmin.id : (ids[kind as keyof typeof ids] ?? ids.tag);
}

/** Whether a value that is shown is the one that was sent, in whatever form the API writes it. */
export function isSame(shown: unknown, sent: unknown): boolean {
  if (Array.isArray(shown))
    return JSON.stringify(shown.map(plain).sort()) === JSON.stringify([sent].flat().map(plain).sort());
  return JSON.stringify(plain(shown)) === JSON.stringify(plain(sent));
}

/** Ids as texts, times in UTC, empty as null, objects in one order. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return String(Date.parse(value));
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, member]) => [name, plain(member)]),
  );
}

import { operations, schemesOf, bases, type ApiOperation } from '../../support/contract/operations.ts';
import { send } from '../../support/contract/raw_http.ts';
import { recordReferences } from '../../support/contract/record_references.ts';
import type { RecordKind } from '../../support/contract/tenant/tenant.ts';
import { service } from '../../support/service.ts';
import { isLong } from '../../support/verification.ts';
import type { Company } from './company.ts';

/*
 * What a user has access to: every read operation that succeeds, every record in a response, whether it shows a user in full,
 * and everything that its `permissions` allow.
 */

/** Parts of time trackings and absences. Their readers may read them too, so only the long form tries them. */
const isPartOfRecord = ({ path }: ApiOperation): boolean => /\{(time_tracking|absence)_id\}\//.test(path);

/** Who may change the address of a user can sign in as them. These records are read by nobody else. */
const onlyForOneself = ['listPreferences', 'listCalendarFeeds'];

const reads = operations.filter(
  (operation) =>
    operation.api === 'v3' &&
    operation.method === 'get' &&
    schemesOf(operation)[0] === 'bearer' &&
    !onlyForOneself.includes(operation.id) &&
    (isLong || !isPartOfRecord(operation)),
);

interface Shown {
  readonly type: string;
  readonly id: string;
  readonly attributes: { readonly email?: string; readonly permissions?: Readonly<Record<string, boolean>> | null };
}

interface Answer {
  readonly data?: Shown | readonly Shown[] | null;
  readonly included?: readonly Shown[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Everything that an access token gives access to, one line each. */
export async function reachOf(company: Company, token: string): Promise<Set<string>> {
  const { url } = await service();
  const headers = { Authorization: `Bearer ${token}` };
  const addresses = [...new Set(reads.flatMap((operation) => addressesOf(operation, company)))];
  const found = new Set<string>();
  for (const address of addresses) {
    const { status, body } = await send(url, { method: 'get', address, headers });
    if (status !== 200) continue;
    // One record can have several addresses. One line per record is enough.
    if (Array.isArray((body as Answer).data)) found.add(address);
    for (const line of linesIn(body as Answer, address)) found.add(line);
  }
  return found;
}

function linesIn({ data, included = [], meta = {} }: Answer, address: string): string[] {
  const records = [data ?? [], included].flat() as Shown[];
  return [
    ...records.flatMap(({ type, id, attributes }) => {
      const record = recordLine(type.replace('_overview', ''), id);
      const acts = Object.entries(attributes.permissions ?? {}).filter(([, isAllowed]) => isAllowed);
      return [
        record,
        ...acts.map(([act]) => `${record} ${act}`),
        // Every user of a company has an email address. Only those who may read the user in full see it.
        ...(attributes.email ? [`${record} in full`] : []),
      ];
    }),
    ...Object.entries(meta).flatMap(([name, value]) => (value === true ? [`${address} ${name}`] : [])),
  ];
}

const recordLine = (type: string, id: string): string => `${type} ${id}`;

/** The record that a line is about; undefined for a line about an address. */
export const recordIn = (line: string): string | undefined => /^\w+ \S+/.exec(line)?.[0];

/** The addresses of an operation: one for each record that its path can name, in the workspace of that record. */
function addressesOf(operation: ApiOperation, company: Company): string[] {
  const places = recordReferences(operation).filter(
    ({ where, kind }) => where === 'path' && kind !== 'account' && kind !== 'workspace',
  );
  const named = places.map(({ steps, kind }) => ({ name: String(steps[0]), records: company.records[kind] ?? [] }));
  const count = named.length === 0 ? 0 : Math.min(...named.map(({ records }) => records.length));
  const fill = (workspaceId: number, params: Readonly<Record<string, string | number>>): string =>
    bases.v3 +
    operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      String({ account_id: company.accountId, workspace_id: workspaceId, ...params }[name]),
    ) +
    `?${queryOf(operation)}`;
  if (places.length > 0)
    return Array.from({ length: count }, (_item, index) =>
      fill(
        named[0]!.records[index]!.workspaceId,
        Object.fromEntries(named.map(({ name, records }) => [name, records[index]!.id])),
      ),
    );
  const isInWorkspace = operation.path.includes('{workspace_id}');
  return (isInWorkspace ? [company.workspaceId, company.elsewhereId] : [0]).map((id) => fill(id, {}));
}

/** Asks for everything: permissions, all included records, and a large page. */
function queryOf({ id, allParameters }: ApiOperation): string {
  const names = new Set(allParameters.map(({ name }) => name));
  const include = allParameters.find(({ name }) => name === 'include') as { description?: string } | undefined;
  const [, list = ''] = (include?.description ?? '').split('`included`');
  const included = [...list.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  return [
    ...(names.has('permissions') ? ['permissions=true'] : []),
    ...(names.has('items') ? ['items=100'] : []),
    ...(included.length > 0 ? [`include=${included.join(',')}`] : []),
    ...(id === 'getAbsenceCalendar' ? ['from=2026-03-01&to=2026-03-31'] : []),
    ...(id === 'getAbsencesCalculation' ? ['starts_at=2026-02-02T08:00:00Z&ends_at=2026-02-02T12:00:00Z'] : []),
  ].join('&');
}

/** The kinds of record that paths name and that a company does not have. */
export const missingKinds = (company: Company): RecordKind[] => {
  const kinds = reads.flatMap((operation) => recordReferences(operation).filter(({ where }) => where === 'path'));
  return [...new Set(kinds.map(({ kind }) => kind))].filter(
    (kind) => kind !== 'account' && kind !== 'workspace' && !company.records[kind],
  );
};

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { isDay } from '../../platform/core/time.ts';
import { findActor } from '../../platform/db/actors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { contentOf } from '../../payroll/exports/content.ts';
import { coverageOf, type Resource } from '../../payroll/exports/request.ts';
import { countOf } from '../../payroll/exports/sources.ts';
import { languageIn, languages } from '../../payroll/exports/table.ts';
import { formats, requireFitting } from '../../payroll/exports/types.ts';
import { required, usageError, type Command, type Given } from './command.ts';

const resources: readonly Resource[] = ['time_trackings', 'absences'];

export const exportCommands: readonly Command[] = [
  {
    words: 'export',
    usage:
      '--workspace ID --output FILE [--of time_trackings|absences] [--type list|sum|timesheet] [--format csv|xlsx|pdf] [--from DAY] [--to DAY] [--language de|en] [--as EMAIL]',
    options: {
      ...{
        workspace: { type: 'string' },
        output: { type: 'string' },
        of: { type: 'string' },
        type: { type: 'string' },
      },
      ...{ format: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
      ...{ language: { type: 'string' }, as: { type: 'string' } },
    },
    summary: 'Write time trackings, absences, sums or timesheets of a workspace to a file.',
    details:
      'The file has what the user with the address EMAIL may read, by default the first account admin. It is the same file that createTimeTrackingExport and createAbsenceExport of the resource API make. By default it is a list of time trackings in CSV.',
    async run(given, { database, now, tell, showProgress }) {
      const output = required(given, 'output');
      const resource = oneOf(given, 'of', resources) as Resource;
      const export_type = oneOf(given, 'type', Object.keys(formats));
      const format = oneOf(given, 'format', [...new Set(Object.values(formats).flat())]);
      if (resource === 'absences' && export_type !== 'list' && export_type !== 'sum')
        throw usageError(`--type must be list or sum for absences, but was ${export_type}.`);
      const days = { ...dayIn(given, 'from'), ...dayIn(given, 'to') };
      requireFitting({ export_type, format, ...days }, {});
      const actor = await actorFor(database.db, given);
      const coverage = coverageOf(resource, {}, [], days);
      const count = await countOf(database.db, actor, resource, coverage, now);
      const locale =
        given.options['language'] === undefined
          ? languageIn(actor.workspace.locale)
          : oneOf(given, 'language', languages);
      const content = contentOf({
        id: 0,
        resource,
        export_type,
        format,
        locale,
        input: coverage,
        created_at: now,
      });
      const pieces = content.write(database.db, actor, (share) => showProgress?.(share));
      await pipeline(Readable.from(pieces), createWriteStream(output, { flags: 'wx' }));
      tell(`Wrote ${output}, which covers ${count} ${resource.replace('_', ' ')}.`);
    },
  },
];

/** The value of an option, by default the first of those allowed. */
function oneOf(given: Given, name: string, allowed: readonly string[]): string {
  const value = given.options[name] ?? allowed[0]!;
  if (allowed.includes(value as string)) return value as string;
  throw usageError(`--${name} must be one of ${allowed.join(', ')}, but was ${String(value)}.`);
}

function dayIn(given: Given, name: 'from' | 'to'): { from?: string; to?: string } {
  const value = given.options[name];
  if (value === undefined) return {};
  if (typeof value === 'string' && isDay(value)) return { [name]: value };
  throw usageError(`--${name} must be a day such as 2026-05-31, but was ${String(value)}.`);
}

/** The user whose rights the file has. */
async function actorFor(db: Db, given: Given): Promise<WorkspaceActor> {
  const workspaceId = Number(required(given, 'workspace'));
  const email = given.options['as'];
  const workspace = Number.isSafeInteger(workspaceId)
    ? await db
        .selectFrom('directory_workspaces')
        .select('account_id')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
    : undefined;
  if (!workspace) throw new Error(`There is no workspace ${required(given, 'workspace')}.`);
  const active = db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', workspace.account_id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('id');
  const user = await (
    typeof email === 'string' ? active.where('email', '=', email) : active.where('is_account_admin', '=', true)
  ).executeTakeFirst();
  const actor = user && (await findActor(db, workspace.account_id, workspaceId, user.id));
  if (!actor)
    throw new Error(
      typeof email === 'string'
        ? `The workspace has no active user ${email}.`
        : 'The account has no active account admin. Name a user with --as.',
    );
  return actor;
}

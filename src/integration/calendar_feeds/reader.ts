import { sql } from 'kysely';
import { noWorkspaceId } from '../../platform/core/ids.ts';
import { may, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import { actorIn, actorRows, findActor } from '../../platform/db/actors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { languageIn, type Language } from '../../payroll/exports/table.ts';
import { homeWorkspaceId } from '../../days/balance/user_days.ts';
import { activeArea } from './calendar_feeds.ts';

/** A feed that an address leads to. */
export interface Feed {
  readonly accountId: number;
  readonly userId: number;
  readonly workspaceId: number | null;
  readonly areaId: number | null;
}

/** The feed behind the secret of an address, if there is one. The directory knows its account. */
export async function feedWithSecret(db: Db, secret: string): Promise<Feed | undefined> {
  if (!/^pcf_[\w-]{43}$/.test(secret)) return undefined;
  const hash = tokenHash(secret);
  const entry = await db
    .selectFrom('directory_calendar_feeds')
    .select('account_id')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return (
    entry &&
    db
      .selectFrom('calendar_feeds')
      .select(['account_id as accountId', 'user_id as userId', 'workspace_id as workspaceId', 'area_id as areaId'])
      .where('account_id', '=', entry.account_id)
      .where('hash', '=', hash)
      .executeTakeFirst()
  );
}

/** The reader of a feed, with their present rights, and its scope. */
export type Reader = { readonly language: Language } & (
  | { readonly scope: 'own'; readonly actor: Actor & { readonly userId: number } }
  | {
      readonly scope: 'workspace' | 'area';
      readonly actor: WorkspaceActor;
      readonly areaId: number | null;
      /** The name of the workspace or the area. */
      readonly title: string;
    }
);

/** The reader of a feed; undefined if they are not active, or lack the role that it needs, or if what it covers is gone. */
export async function readerOf(db: Db, { accountId, userId, workspaceId, areaId }: Feed): Promise<Reader | undefined> {
  const language = await languageOf(db, accountId, userId, workspaceId);
  if (workspaceId === null) {
    const row = await actorRows(db, accountId, noWorkspaceId).where('user.id', '=', userId).executeTakeFirst();
    return row && { scope: 'own', language, actor: { ...actorIn(row), userId } };
  }
  const actor = await findActor(db, accountId, workspaceId, userId);
  if (!actor || !may(actor, 'subscribe', 'workspace', { id: workspaceId })) return undefined;
  if (areaId === null)
    return { scope: 'workspace', language, actor, areaId, title: await workspaceName(db, accountId, workspaceId) };
  const area = await activeArea(db, accountId, workspaceId, areaId);
  return area && { scope: 'area', language, actor, areaId, title: area.name };
}

/** The language of the user, otherwise that of the workspace. */
async function languageOf(db: Db, accountId: number, userId: number, workspaceId: number | null): Promise<Language> {
  const { locale } = await db
    .selectFrom('users')
    .innerJoin('workspaces as workspace', (join) =>
      join
        .on('workspace.account_id', '=', accountId)
        .on('workspace.id', '=', workspaceId ?? homeWorkspaceId(accountId, sql.ref('users.id'))),
    )
    .select(sql<string>`coalesce(users.locale, workspace.locale)`.as('locale'))
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return languageIn(locale);
}

const workspaceName = async (db: Db, accountId: number, id: number): Promise<string> =>
  (
    await db
      .selectFrom('workspaces')
      .select('name')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).name;

import { areaReferred } from '../../organisation/areas/areas.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { referred } from '../../platform/db/names.ts';
import { userNamed } from '../../organisation/users/users.ts';
import { inWorkspace, workspaceNamed, type WorkspaceRow } from '../../organisation/workspaces/workspaces.ts';

/* The location, the user and the working area that a request names, each by id or external id. */

type NamesOf<Prefix extends string> = Parameters<typeof refIn<Prefix>>[1];
type PlaceAndUser = NonNullable<NamesOf<'location_'>> & NonNullable<NamesOf<'user_'>>;

/** The records that a request refers to, or its problems. */
interface PlaceOfUser {
  readonly location?: WorkspaceRow;
  /** The actor in the location. */
  readonly local?: WorkspaceActor;
  readonly userId?: number;
  readonly problems: readonly Problem[];
}

/** Finds the location of a request, and the user, who is a member of it. */
export async function placeAndUserIn(db: Db, actor: Actor, input: PlaceAndUser): Promise<PlaceOfUser> {
  const [location, user] = [refIn('location_', input), refIn('user_', input)];
  const place = await referred(location, 'location of this enterprise', () => workspaceNamed(db, actor, location));
  const local = place.row && inWorkspace(actor, place.row);
  const member = await referred(user, local ? 'user of this location' : 'user of this enterprise', () =>
    userNamed(db, local ?? actor, user),
  );
  return { location: place.row, local, userId: member.row?.id, problems: [...place.problems, ...member.problems] };
}

/** Finds the working area of a request: undefined where it names none, null where it clears it. */
export async function areaIn(
  db: Db,
  actor: WorkspaceActor,
  input: NonNullable<NamesOf<'working_area_'>>,
): Promise<{ areaId?: number | null; problems: readonly Problem[] }> {
  const { working_area_id: id, working_area_external_id: externalId } = input;
  if ((id ?? null) === null && !externalId)
    return { areaId: isNamed('working_area_', input) ? null : undefined, problems: [] };
  const { row, problems } = await areaReferred(db, actor, refIn('working_area_', input));
  return { areaId: row?.id, problems };
}

/** The id of the user that a list is about, if it names one. That of a deleted user still finds their records. */
export async function userIdIn(
  db: Db,
  actor: Actor,
  query: NonNullable<NamesOf<'user_'>>,
): Promise<number | undefined> {
  if (!isNamed('user_', query)) return undefined;
  const names = refIn('user_', query);
  const user = await userNamed(db, actor, names);
  return user?.id ?? (names.external_id === undefined ? names.id : undefined) ?? nobody;
}

/** The id of no user, for an unknown name: it matches nothing. */
const nobody = 0;

import { randomUUID } from 'node:crypto';
import type { RequestOptions } from '../../support/client.ts';
import { bodyOf, type Person } from '../../support/world.ts';
import type { Company } from './company.ts';

/** A request with which an attacker tries to get more access. */
export interface Attack {
  readonly operation: string;
  readonly options: RequestOptions;
  /** An address whose mails the attacker can read, if the request names one. */
  readonly inbox?: string;
}

/** The parts of an attack on one target. */
interface Scene {
  readonly company: Company;
  readonly target: Person;
  /** The workspace to attack in. */
  readonly workspaceId: number;
}

type Attacks = (scene: Scene) => Omit<Attack, 'operation'>[];

/** Attacks that do not depend on the target are tried once, on the first one. */
const isFirst = ({ company, target }: Scene): boolean => target === company.targets[0];
const once =
  (attacks: Attacks): Attacks =>
  (scene) =>
    isFirst(scene) ? attacks(scene) : [];

const newInbox = (): string => `attacker-${randomUUID()}@example.com`;

const user = (attributes: object): RequestOptions => ({ body: bodyOf('user', attributes) });

/** Every operation that changes members, roles, addresses, areas or tokens, with its attacks. */
const changes: Readonly<Record<string, Attacks>> = {
  updateUser: (scene) => {
    const { target, workspaceId } = scene;
    const { actor, areas } = scene.company;
    const on = ({ id }: Person, attributes: object, inbox?: string) => ({
      options: { params: { workspace_id: workspaceId, user_id: id }, ...user(attributes) },
      ...(inbox === undefined ? {} : { inbox }),
    });
    const take = (person: Person) => {
      const inbox = newInbox();
      return on(person, { email: inbox }, inbox);
    };
    return [
      take(target),
      ...[4, 3, 2, 1].map((role) => on(target, { role_ids: [role] })),
      ...Object.values(areas).map((area) => on(target, { area_ids: [area] })),
      // Once more, after the roles were removed.
      take(target),
      ...(isFirst(scene) ? [take(actor), ...[4, 3].map((role) => on(actor, { role_ids: [role] }))] : []),
      ...(isFirst(scene) ? Object.values(areas).map((area) => on(actor, { area_ids: [area] })) : []),
    ];
  },
  updateCurrentUser: once(() => {
    const inbox = newInbox();
    return [{ options: user({ mail_notifications: true, role_ids: [4], email: inbox }), inbox }];
  }),
  updateCurrentWorkspaceUser: once(({ workspaceId }) => [
    { options: { params: { workspace_id: workspaceId }, ...user({ assumed_role: 'admin', role_ids: [4] }) } },
  ]),
  createUser: once(({ company: { areas }, workspaceId }) =>
    Object.values(areas).map((area) => {
      const inbox = newInbox();
      const attributes = { username: 'Puppet', email: inbox, area_ids: [area], role_ids: [4] };
      return { options: { params: { workspace_id: workspaceId }, ...user(attributes) }, inbox };
    }),
  ),
  updateArea: ({ company: { actor, areas }, target, workspaceId }) =>
    Object.values(areas).map((area_id) => ({
      options: {
        params: { workspace_id: workspaceId, area_id },
        body: bodyOf('area', { user_ids: [actor.id, target.id] }),
      },
    })),
  createArea: ({ company: { actor }, target, workspaceId }) => [
    {
      options: {
        params: { workspace_id: workspaceId },
        body: bodyOf('area', { name: `Trap ${randomUUID()}`, user_ids: [actor.id, target.id] }),
      },
    },
  ],
  updateWorkspace: once(({ workspaceId }) => [
    { options: { params: { workspace_id: workspaceId }, body: bodyOf('workspace', { name: 'Mine' }) } },
  ]),
  createWorkspace: once(() => [{ options: { body: bodyOf('workspace', { name: 'Another' }) } }]),
  updateAccount: once(() => [{ options: { body: bodyOf('account', { name: 'Mine' }) } }]),
  createApiToken: once(() => [{ options: { body: bodyOf('api_token', { name: 'Mine' }) } }]),
  signUp: ({ target }) => [{ options: user({ email: target.email, password: 'a new password', username: 'Twin' }) }],
  requestPasswordReset: ({ target }) => [{ options: user({ email: target.email }) }],
  updatePassword: once(() => [{ options: user({ reset_password_token: 'guessed', password: 'a new password' }) }]),
  confirmEmail: once(() => [{ options: user({ confirmation_token: 'guessed' }) }]),
  checkPasswordToken: once(() => [{ options: user({ reset_password_token: 'guessed' }) }]),
  createInvitation: once(({ workspaceId }) => [{ options: { params: { workspace_id: workspaceId } } }]),
  batchInvitations: ({ target, workspaceId }) => [
    {
      options: {
        params: { workspace_id: workspaceId },
        body: bodyOf('invitation', { all: false, user_ids: [target.id] }),
      },
    },
    { options: { params: { workspace_id: workspaceId }, body: bodyOf('invitation', { all: true }) } },
  ],
  joinWorkspace: ({ target }) => [
    { options: user({ token: 'guessed', email: target.email, password: 'a new password', username: 'Twin' }) },
  ],
  signIn: ({ target }) => [{ options: user({ email: target.email, password: 'a new password' }) }],
};

/** Operations that remove something. They are tried last. */
const removals: Readonly<Record<string, Attacks>> = {
  updateUserStatus: ({ target, workspaceId }) => [
    { options: { params: { workspace_id: workspaceId, user_id: target.id }, ...user({ status: 'inactive' }) } },
  ],
  deleteUser: ({ target, workspaceId }) => [{ options: { params: { workspace_id: workspaceId, user_id: target.id } } }],
  deleteArea: once(({ company: { areas }, workspaceId }) => [
    { options: { params: { workspace_id: workspaceId, area_id: areas.Kitchen } } },
  ]),
  deleteApiToken: once(() => [{ options: { params: { api_token_id: randomUUID() } } }]),
  deleteWorkspace: once(({ workspaceId }) => [{ options: { params: { workspace_id: workspaceId } } }]),
};

/** Operations that cannot be an attack, and why. */
export const harmless: Readonly<Record<string, string>> = {
  signOut: 'It ends the session of the caller.',
  deleteSession: 'It ends a session of the caller alone.',
  deleteOtherSessions: 'It ends sessions of the caller alone.',
};

export const attackedOperations: readonly string[] = [...Object.keys(changes), ...Object.keys(removals)];

/** All attacks on one target in both workspaces: changes, or removals. */
export const attacksOn = (company: Company, target: Person, phase: 'changes' | 'removals'): Attack[] =>
  [company.workspaceId, company.elsewhereId].flatMap((workspaceId) =>
    Object.entries(phase === 'changes' ? changes : removals).flatMap(([operation, attacks]) =>
      attacks({ company, target, workspaceId }).map((attack) => ({ operation, ...attack })),
    ),
  );

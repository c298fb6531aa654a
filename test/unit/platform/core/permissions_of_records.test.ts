import { describe, expect, it } from 'vitest';
import { may, type Actor } from '../../../../src/platform/core/permissions.ts';
import type { Facts } from '../../../../src/platform/core/record_facts.ts';
import type { Rank } from '../../../../src/platform/core/ranks.ts';

/** An actor of area 10. By default the workspace gives employees no additional rights. */
const actorOf = (rank: Rank, lets: object = {}): Actor => ({
  accountId: 1,
  userId: 1,
  username: 'Actor',
  rank,
  areaIds: [10],
  workspace: { id: 5, ...lets } as Actor['workspace'],
});

const everybody = ([1, 2, 3, 4] as const).map((rank) => actorOf(rank));
const located = { user_rank: 1 as Rank, area_ids: [10] };
const [own, foreign] = [
  { user_id: 1, ...located },
  { user_id: 2, ...located },
];

describe('a role', () => {
  it('is changed by nobody for themselves', () => {
    expect(everybody.map((actor) => may(actor, 'update_role', 'user', { id: 1 }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(everybody.map((actor) => may(actor, 'update_role', 'user', { id: 2 }))).toEqual([true, true, true, true]);
  });
});

describe('working time', () => {
  it('is tagged by its admins, and by employees where the workspace lets them tag their own', () => {
    const [closed, open] = [actorOf(1), actorOf(1, { allow_employees_tag_working_sessions: true })];
    for (const noun of ['time_tracking', 'action'] as const) {
      expect(everybody.map((actor) => may(actor, 'tag', noun, foreign))).toEqual([false, true, true, true]);
      expect([may(closed, 'tag', noun, own), may(open, 'tag', noun, own)]).toEqual([false, true]);
      expect(may(open, 'tag', noun, foreign)).toBe(false);
    }
  });

  it('that was punched is changed by its admins, and by employees where the workspace lets them', () => {
    const tracking = (isPunched: boolean) => ({ ...own, follower_ids: [], isPunched, confirmed: false });
    const [closed, open] = [actorOf(1), actorOf(1, { allow_employee_edit_punched_working_sessions: true })];
    const mayUpdate = (actor: Actor, isPunched: boolean) => may(actor, 'update', 'time_tracking', tracking(isPunched));
    expect([mayUpdate(closed, true), mayUpdate(closed, false), mayUpdate(open, true)]).toEqual([false, true, true]);
  });
});

describe('an absence', () => {
  const absence = (confirmation_status: string): Facts['absence'] => ({
    ...own,
    confirmation_status,
    follower_ids: [],
  });

  it('is changed and deleted by its user until it is decided, and by their admins', () => {
    for (const act of ['update', 'destroy'] as const) {
      for (const [state, byUser] of [
        ['pending', true],
        ['confirmed', false],
        ['rejected', false],
      ] as const)
        expect(everybody.map((actor) => may(actor, act, 'absence', absence(state)))).toEqual([
          byUser,
          true,
          true,
          true,
        ]);
    }
  });

  it('is decided by admins, and by no employee about themselves', () => {
    expect(everybody.map((actor) => may(actor, 'decide', 'absence', absence('pending')))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('where the workspace requires four eyes', () => {
  const careful = ([1, 2, 3, 4] as const).map((rank) => actorOf(rank, { require_four_eyes: true }));
  const tracking = (of: typeof own, confirmed: boolean) => ({ ...of, follower_ids: [], isPunched: false, confirmed });
  const absence = (of: typeof own, confirmation_status: string) => ({ ...of, confirmation_status, follower_ids: [] });
  const [byNobody, byAdmins] = [
    [false, false, false, false],
    [false, true, true, true],
  ];

  it('nobody confirms their own time or absence, and admins confirm those of others', () => {
    for (const [record, byWhom] of [
      [own, byNobody],
      [foreign, byAdmins],
    ] as const) {
      expect(careful.map((actor) => may(actor, 'confirm', 'time_tracking', record))).toEqual(byWhom);
      expect(careful.map((actor) => may(actor, 'decide', 'absence', absence(record, 'pending')))).toEqual(byWhom);
    }
  });

  it('nobody deletes a confirmed record of their own', () => {
    const mayDelete = (of: typeof own, confirmed: boolean) =>
      careful.map((actor) => [
        may(actor, 'destroy', 'time_tracking', tracking(of, confirmed)),
        may(actor, 'destroy', 'absence', absence(of, confirmed ? 'confirmed' : 'rejected')),
      ]);
    const both = (verdicts: readonly boolean[]) => verdicts.map((verdict) => [verdict, verdict]);
    expect(mayDelete(own, true)).toEqual(both(byNobody));
    expect(mayDelete(own, false)).toEqual(both(byAdmins));
    expect(mayDelete(foreign, true)).toEqual(both(byAdmins));
  });

  it('an external system, which is no user, confirms everything', () => {
    const enterprise: Actor = { ...actorOf(4), userId: null, workspace: null };
    expect(may(enterprise, 'decide', 'absence', absence(own, 'pending'))).toBe(true);
    expect(may(enterprise, 'destroy', 'absence', absence(own, 'confirmed'))).toBe(true);
  });
});

describe('a note', () => {
  const note = (type: string, author_id: number | null): Facts['note'] => ({ type, author_id, ...located });

  it('is changed by its author, and deleted by its author and by admins', () => {
    expect(everybody.map((actor) => may(actor, 'update', 'note', note('UserNote', 2)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(everybody.map((actor) => may(actor, 'destroy', 'note', note('UserNote', 2)))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(may(everybody[0]!, 'destroy', 'note', note('UserNote', 1))).toBe(true);
  });

  it('of the service is changed and deleted by nobody', () => {
    for (const act of ['update', 'destroy'] as const)
      expect(everybody.some((actor) => may(actor, act, 'note', note('SystemNote', null)))).toBe(false);
  });
});

describe('a notification', () => {
  it('is only for its addressee', () => {
    const [mine, another] = [
      { type: 'notification', ...own },
      { type: 'notification', ...foreign },
    ];
    expect(everybody.every((actor) => may(actor, 'destroy', 'notification', mine))).toBe(true);
    expect(everybody.some((actor) => may(actor, 'destroy', 'notification', another))).toBe(false);
  });

  it('that warns about a user is for their admins, not for the user', () => {
    const warning = { type: 'trigger_warning', ...own };
    expect(everybody.map((actor) => may(actor, 'read', 'notification', warning))).toEqual([false, true, true, true]);
  });
});

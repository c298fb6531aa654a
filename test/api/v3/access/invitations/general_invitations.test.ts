import { describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { callWithKey, generalToken, join, lookUps, tokenIn } from './support.ts';

const invalidTitle = 'token is unknown, used, withdrawn or expired. Ask for a new invitation.';

describe('createInvitation', () => {
  it('200 with an address that works for 14 days, of whose token only the hash is stored', async () => {
    const { admin, db, workspaceId } = await newWorld();
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { locale: 'en' }) });
    const answer = await admin.call('createInvitation', {
      body: bodyOf('invitation', { checkin: true, welcome_message: 'Welcome!' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toBeUndefined();
    expect(answer.body.meta.message).toMatch(/^https:\/\/app\.example\.com\/join-workspace\/[\w-]{43}\?lang=en$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    const rows = await db.selectFrom('invitations').selectAll().where('workspace_id', '=', workspaceId).execute();
    expect(rows).toMatchObject([{ user_id: null, checkin: true, welcome_message: 'Welcome!' }]);
    expect(rows[0]!.hash).toBe(tokenHash(tokenIn(answer.body.meta.message)));
    expect((rows[0]!.expires_at!.getTime() - Date.now()) / 86_400_000).toBeCloseTo(14, 1);
  });

  it('200 without a body, with plain attributes, and again and again', async () => {
    const { admin } = await newWorld();
    expect((await admin.call('createInvitation')).status).toBe(200);
    const { body } = await admin.call('createInvitation', { body: { welcome_message: 'Plain' } });
    const shown = await callWithKey('getInvitation', { params: { invite_token: tokenIn(body.meta.message) } });
    expect(shown.body.data.attributes).toEqual({
      user_checkin: false,
      welcome_message: 'Plain',
      address_held_by: null,
    });
  });

  it('200 withdraws the one before, also of two at the same moment', async () => {
    const world = await newWorld();
    const first = await generalToken(world);
    const tokens = await Promise.all([generalToken(world), generalToken(world), generalToken(world)]);
    expect(titlesIn(await join({ token: first }))).toEqual([invalidTitle]);
    const statuses = [];
    for (const token of tokens) statuses.push((await join({ token })).status);
    expect(statuses.sort()).toEqual([200, 400, 400]);
  });

  it('400 for values of a wrong type', async () => {
    const { admin } = await newWorld();
    const body = bodyOf('invitation', { checkin: 'yes', welcome_message: 'x'.repeat(2001) });
    const refused = await admin.call('createInvitation', { body });
    expect([refused.status, pointersIn(refused).sort()]).toEqual([400, ['checkin', 'welcome_message']]);
  });

  it('403 below a workspace admin, and 404 for strangers', async () => {
    const { employee, stranger, addMember } = await newWorld();
    expect((await employee.call('createInvitation')).status).toBe(403);
    expect((await (await addMember('areaAdmin')).call('createInvitation')).status).toBe(403);
    expect((await (await addMember('workspaceAdmin')).call('createInvitation')).status).toBe(200);
    expect((await stranger.call('createInvitation')).status).toBe(404);
  });
});

describe('a general invitation', () => {
  it('is invalid after 14 days, and in a deleted workspace', async () => {
    const world = await newWorld();
    const { db, workspaceId } = world;
    const expired = await generalToken(world);
    const ofInvitation = { hash: tokenHash(expired) };
    await db
      .updateTable('invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('hash', '=', ofInvitation.hash)
      .execute();
    expect(titlesIn(await join({ token: expired }))).toEqual([invalidTitle]);
    for (const [operation, options] of lookUps(expired)) {
      const refused = await callWithKey(operation, options);
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['invite_token']]);
    }
    const orphaned = await generalToken(world);
    await db.updateTable('workspaces').set({ deleted_at: new Date() }).where('id', '=', workspaceId).execute();
    expect((await join({ token: orphaned })).status).toBe(400);
  });
});

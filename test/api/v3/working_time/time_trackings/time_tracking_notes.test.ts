import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { record, tracked, unknownUuid } from '../../../../support/time_trackings.ts';
import { bodyOf } from '../../../../support/world.ts';

const noteBody = (content: unknown) => bodyOf('note', { content });

describe('createTimeTrackingNote', () => {
  it('201 by everybody who may read the tracking, as user_note in local time', async () => {
    const { employee, admin, colleague, params } = await tracked();
    const { status, body } = await employee.call('createTimeTrackingNote', {
      params,
      body: noteBody('The till was closed late.'),
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'user_note',
      attributes: {
        permissions: null,
        content: 'The till was closed late.',
        type: 'UserNote',
        author: 'employee',
        author_role: 'employee',
      },
    });
    expect(body.data.attributes.created_at).toMatch(/[+]0[12]:00$/);
    await admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [colleague.id] }),
    });
    expect((await colleague.call('createTimeTrackingNote', { params, body: noteBody('Seen.') })).status).toBe(201);
    const written = await admin.call('createTimeTrackingNote', {
      params,
      body: { data: { type: 'note', attributes: { content: 'Ok.', created_by: 'x' } } },
    });
    expect(written.body.data.attributes).toMatchObject({ author: 'admin', author_role: 'admin' });
    const { body: tracking } = await admin.call('getTimeTracking', { params });
    expect(tracking.data.attributes).toMatchObject({ user_notes_count: 3, system_notes_count: 1 });
  });

  it('400 for a blank, a long and a missing text, and a wrong type', async () => {
    const { employee, params } = await tracked();
    for (const content of ['  ', 'x'.repeat(10_001), null, 5]) {
      const response = await employee.call('createTimeTrackingNote', { params, body: noteBody(content) });
      expect([response.status, [...new Set(pointersIn(response))]]).toEqual([400, ['content']]);
    }
    expect(
      pointersIn(await employee.call('createTimeTrackingNote', { params, body: bodyOf('notes', { content: 'x' }) })),
    ).toEqual(['type']);
  });

  it('403 for a colleague, 404 for an unknown one', async () => {
    const { admin, colleague, params } = await tracked();
    expect((await colleague.call('createTimeTrackingNote', { params, body: noteBody('x') })).status).toBe(403);
    expect(
      (await admin.call('createTimeTrackingNote', { params: { time_tracking_id: unknownUuid }, body: noteBody('x') }))
        .status,
    ).toBe(404);
  });
});

describe('the notes of a time tracking', () => {
  /** A note of the employee on their own tracking, beside the one of the service. */
  async function noted() {
    const made = await tracked();
    const { body } = await made.employee.call('createTimeTrackingNote', {
      params: made.params,
      body: noteBody('First.'),
    });
    const own = { ...made.params, user_note_id: body.data.id as string };
    const { body: system } = await made.employee.call('listTimeTrackingNotes', {
      params: made.params,
      query: 'filter[type]=eq:SystemNote',
    });
    return { ...made, own, systemNote: { ...made.params, user_note_id: system.data[0].id as string } };
  }

  it('listTimeTrackingNotes: 200 as type note, filtered by type and text, with permissions', async () => {
    const { employee, params } = await noted();
    const list = async (query: string) => (await employee.call('listTimeTrackingNotes', { params, query })).body;
    const all = await list('permissions');
    expect(
      all.data.map((note: { type: string; attributes: { type: string } }) => [note.type, note.attributes.type]),
    ).toEqual([
      ['note', 'SystemNote'],
      ['note', 'UserNote'],
    ]);
    expect(all.data[0].attributes).not.toHaveProperty('author');
    expect(all.data[1].attributes.permissions).toEqual({ read: true, update: true, destroy: true });
    expect(all.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: false });
    expect((await list('filter[content]=ct:FIRST')).data).toHaveLength(1);
    expect((await list('filter[type]=eq:UserNote&include=attachments')).included).toEqual([]);
  });

  it('listTimeTrackingNotes: 400 for an invalid page, 403 for a colleague, 404 for an unknown one', async () => {
    const { admin, colleague, params } = await noted();
    expect(pointersIn(await admin.call('listTimeTrackingNotes', { params, query: 'items=0' }))).toEqual(['items']);
    expect((await colleague.call('listTimeTrackingNotes', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingNotes', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });

  it('updateTimeTrackingNote: 200 by its author', async () => {
    const { employee, own } = await noted();
    const { status, body } = await employee.call('updateTimeTrackingNote', { params: own, body: noteBody('Second.') });
    expect([status, body.data.type, body.data.attributes.content]).toEqual([200, 'user_note', 'Second.']);
  });

  it('updateTimeTrackingNote: 400 blank, 403 for anybody else, 404 for a system note and for an unknown one', async () => {
    const { admin, employee, colleague, own, systemNote } = await noted();
    expect(pointersIn(await employee.call('updateTimeTrackingNote', { params: own, body: noteBody('') }))).toContain(
      'content',
    );
    expect((await admin.call('updateTimeTrackingNote', { params: own, body: noteBody('x') })).status).toBe(403);
    expect((await colleague.call('updateTimeTrackingNote', { params: own, body: noteBody('x') })).status).toBe(403);
    expect((await admin.call('updateTimeTrackingNote', { params: systemNote, body: noteBody('x') })).status).toBe(404);
    expect(
      (await employee.call('updateTimeTrackingNote', { params: { ...own, user_note_id: 'abc' }, body: noteBody('x') }))
        .status,
    ).toBe(404);
  });

  it('deleteTimeTrackingNote: 200 by its author or an admin, then 404', async () => {
    const { admin, employee, own, params } = await noted();
    const { status, body } = await employee.call('deleteTimeTrackingNote', { params: own });
    expect([status, body.data.type, body.data.attributes.content]).toEqual([200, 'user_note', 'First.']);
    expect((await employee.call('deleteTimeTrackingNote', { params: own })).status).toBe(404);
    const { body: second } = await employee.call('createTimeTrackingNote', { params, body: noteBody('Second.') });
    expect(
      (await admin.call('deleteTimeTrackingNote', { params: { ...params, user_note_id: second.data.id } })).status,
    ).toBe(200);
  });

  it('deleteTimeTrackingNote: 403 for an owner who did not write it, 404 on another tracking and for a note of the service', async () => {
    const { admin, employee, params, own, systemNote } = await noted();
    const { body } = await admin.call('createTimeTrackingNote', { params, body: noteBody('Hm.') });
    expect(
      (await employee.call('deleteTimeTrackingNote', { params: { ...params, user_note_id: body.data.id } })).status,
    ).toBe(403);
    const other = await record(employee);
    expect(
      (await employee.call('deleteTimeTrackingNote', { params: { ...own, time_tracking_id: other.id } })).status,
    ).toBe(404);
    expect((await admin.call('deleteTimeTrackingNote', { params: systemNote })).status).toBe(404);
  });
});

import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../support/client.ts';
import { service } from '../support/service.ts';
import { areaWith, punched, record, systemNotes, tagTitled } from '../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../support/world.ts';

const uuid = '2b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const noteBody = (content: unknown) => bodyOf('note', { content });

/** A tracking of the employee, with somebody who has nothing to do with it. */
async function tracked() {
  const world = await newWorld();
  const colleague = await world.addMember('employee', 'colleague');
  const { id } = await record(world.employee);
  return { ...world, world, colleague, id, params: { time_tracking_id: id } };
}

describe('createTimeTrackingNote', () => {
  it('201 by whoever may read the tracking, as user_note in local time', async () => {
    const { employee, admin, colleague, params } = await tracked();
    const { status, body } = await employee.call('createTimeTrackingNote', { params, body: noteBody('The till was closed late.') });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'user_note',
      attributes: { permissions: null, content: 'The till was closed late.', type: 'UserNote', author: 'employee', author_role: 'employee' },
    });
    expect(body.data.attributes.created_at).toMatch(/[+]0[12]:00$/);
    await admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [colleague.id] }) });
    expect((await colleague.call('createTimeTrackingNote', { params, body: noteBody('Seen.') })).status).toBe(201);
    const written = await admin.call('createTimeTrackingNote', { params, body: { data: { type: 'note', attributes: { content: 'Ok.', created_by: 'x' } } } });
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
    expect(pointersIn(await employee.call('createTimeTrackingNote', { params, body: bodyOf('notes', { content: 'x' }) }))).toEqual(['type']);
  });

  it('403 for a colleague, 404 for what is not there', async () => {
    const { admin, colleague, params } = await tracked();
    expect((await colleague.call('createTimeTrackingNote', { params, body: noteBody('x') })).status).toBe(403);
    expect((await admin.call('createTimeTrackingNote', { params: { time_tracking_id: uuid }, body: noteBody('x') })).status).toBe(404);
  });
});

describe('the notes of a time tracking', () => {
  /** A note of the employee on his own tracking, beside the one of the service. */
  async function noted() {
    const made = await tracked();
    const { body } = await made.employee.call('createTimeTrackingNote', { params: made.params, body: noteBody('First.') });
    const own = { ...made.params, user_note_id: body.data.id as string };
    const { body: system } = await made.employee.call('listTimeTrackingNotes', { params: made.params, query: 'filter[type]=eq:SystemNote' });
    return { ...made, own, systemNote: { ...made.params, user_note_id: system.data[0].id as string } };
  }

  it('listTimeTrackingNotes: 200 as type note, filtered by type and text, with permissions', async () => {
    const { employee, params } = await noted();
    const list = async (query: string) => (await employee.call('listTimeTrackingNotes', { params, query })).body;
    const all = await list('permissions');
    expect(all.data.map((note: { type: string; attributes: { type: string } }) => [note.type, note.attributes.type])).toEqual([
      ['note', 'SystemNote'],
      ['note', 'UserNote'],
    ]);
    expect(all.data[0].attributes).not.toHaveProperty('author');
    expect(all.data[1].attributes.permissions).toEqual({ read: true, update: true, destroy: true });
    expect(all.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: false });
    expect((await list('filter[content]=ct:FIRST')).data).toHaveLength(1);
    expect((await list('filter[type]=eq:UserNote&include=attachments')).included).toEqual([]);
  });

  it('listTimeTrackingNotes: 400 for a page that cannot be, 403 for a colleague, 404 for what is not there', async () => {
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

  it('updateTimeTrackingNote: 400 blank, 403 for anybody else, 404 for a note of the service and for what is not there', async () => {
    const { admin, employee, colleague, own, systemNote } = await noted();
    expect(pointersIn(await employee.call('updateTimeTrackingNote', { params: own, body: noteBody('') }))).toContain('content');
    expect((await admin.call('updateTimeTrackingNote', { params: own, body: noteBody('x') })).status).toBe(403);
    expect((await colleague.call('updateTimeTrackingNote', { params: own, body: noteBody('x') })).status).toBe(403);
    expect((await admin.call('updateTimeTrackingNote', { params: systemNote, body: noteBody('x') })).status).toBe(404);
    expect((await employee.call('updateTimeTrackingNote', { params: { ...own, user_note_id: 'abc' }, body: noteBody('x') })).status).toBe(404);
  });

  it('deleteTimeTrackingNote: 200 by its author or an admin, then 404', async () => {
    const { admin, employee, own, params } = await noted();
    const { status, body } = await employee.call('deleteTimeTrackingNote', { params: own });
    expect([status, body.data.type, body.data.attributes.content]).toEqual([200, 'user_note', 'First.']);
    expect((await employee.call('deleteTimeTrackingNote', { params: own })).status).toBe(404);
    const { body: second } = await employee.call('createTimeTrackingNote', { params, body: noteBody('Second.') });
    expect((await admin.call('deleteTimeTrackingNote', { params: { ...params, user_note_id: second.data.id } })).status).toBe(200);
  });

  it('deleteTimeTrackingNote: 403 for an owner who did not write it, 404 on another tracking and for a note of the service', async () => {
    const { admin, employee, params, own, systemNote } = await noted();
    const { body } = await admin.call('createTimeTrackingNote', { params, body: noteBody('Hm.') });
    expect((await employee.call('deleteTimeTrackingNote', { params: { ...params, user_note_id: body.data.id } })).status).toBe(403);
    const other = await record(employee);
    expect((await employee.call('deleteTimeTrackingNote', { params: { ...own, time_tracking_id: other.id } })).status).toBe(404);
    expect((await admin.call('deleteTimeTrackingNote', { params: systemNote })).status).toBe(404);
  });
});

describe('createTimeTrackingTag', () => {
  const tag = (person: Person, id: string, attributes: object) =>
    person.call('createTimeTrackingTag', { params: { time_tracking_id: id }, body: bodyOf('tag', attributes) });

  it('201 with a tag that is there, or one that an admin makes thereby; once', async () => {
    const { world, admin, id } = await tracked();
    const night = await tagTitled(world, 'Night');
    const first = await tag(admin, id, { title: 'Night', time_tracking_id: id });
    expect([first.status, first.body.data.id]).toEqual([201, night]);
    const made = await tag(admin, id, { title: 'Inventory' });
    expect(made.body.data).toMatchObject({ type: 'tag', attributes: { title: 'Inventory', active: true, external_id: null, color: null } });
    const again = await tag(admin, id, { title: 'Night' });
    expect([again.status, again.body.data.id]).toEqual([201, night]);
    expect((await systemNotes(admin, id)).slice(1)).toEqual([
      'admin changed the tags from none to "Night".',
      'admin changed the tags from "Night" to "Night"; "Inventory".',
    ]);
  });

  it('201 for an employee where the workspace lets him, also on a punched one by either id', async () => {
    const { world, admin, employee, id } = await tracked();
    await tagTitled(world, 'Night');
    expect((await tag(employee, id, { title: 'Night' })).status).toBe(403);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { allow_employees_tag_working_sessions: true }) });
    const { id: number } = await punched(world, employee.id, uuid);
    expect((await tag(employee, id, { title: 'Night' })).status).toBe(201);
    expect((await tag(employee, uuid, { title: 'Night', time_tracking_id: number })).status).toBe(201);
    expect((await tag(employee, id, { title: 'New' })).status).toBe(403);
  });

  it('400 for another tracking in the body, an inactive tag, and a blank title', async () => {
    const { world, admin, id } = await tracked();
    await tagTitled(world, 'Old', { active: false });
    expect(pointersIn(await tag(admin, id, { title: 'Night', time_tracking_id: uuid }))).toEqual(['time_tracking_id']);
    expect(titlesIn(await tag(admin, id, { title: 'Old' }))).toEqual(['title names "Old", which is no active tag. Activate it first.']);
    expect(pointersIn(await tag(admin, id, { title: ' ' }))).toContain('title');
    expect((await systemNotes(admin, id)).length).toBe(1);
  });

  it('403 for a colleague, 404 for what is not there', async () => {
    const { world, admin, colleague, id } = await tracked();
    await tagTitled(world, 'Night');
    expect((await tag(colleague, id, { title: 'Night' })).status).toBe(403);
    expect((await tag(admin, 'abc', { title: 'Night' })).status).toBe(404);
  });
});

describe('listTimeTrackingTags', () => {
  it('200 filtered, with includes', async () => {
    const { world, admin, employee } = await tracked();
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    await tagTitled(world, 'Unused');
    const { id } = await record(admin, {}, { user: employee.id, tags: [night, late] });
    const list = async (query: string) => (await employee.call('listTimeTrackingTags', { params: { time_tracking_id: id }, query })).body;
    const titles = (body: { data: { attributes: { title: string } }[] }) => body.data.map(({ attributes }) => attributes.title);
    expect(titles(await list(''))).toEqual(['Night', 'Late']);
    expect(titles(await list('filter[title]=pre:l'))).toEqual(['Late']);
    expect((await list('include=workspace,users')).included).toHaveLength(1);
  });

  it('400 for a page that cannot be, 403 for a colleague, 404 for what is not there', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingTags', { params, query: 'outset=-1' }))).toEqual(['outset']);
    expect((await colleague.call('listTimeTrackingTags', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingTags', { params: { time_tracking_id: '0' } })).status).toBe(404);
  });
});

describe('the followers of a time tracking', () => {
  const follow = (person: Person, id: string, ids: readonly unknown[]) =>
    person.call('createTimeTrackingFollowers', { params: { time_tracking_id: id }, body: bodyOf('follower', { follower_ids: ids }) });

  it('createTimeTrackingFollowers: 201 adds them, once, and shows the tracking', async () => {
    const { admin, employee, colleague, id } = await tracked();
    const { status, body } = await follow(admin, id, [colleague.id, String(colleague.id)]);
    expect(status).toBe(201);
    expect(body.data.relationships.followers.data).toEqual([{ type: 'user_overview', id: String(colleague.id) }]);
    expect((await follow(admin, id, [employee.id])).body.data.relationships.followers.data).toHaveLength(2);
  });

  it('createTimeTrackingFollowers: 400 for those who are not of the workspace, 403 for its owner, 404 for what is not there', async () => {
    const { admin, employee, stranger, id } = await tracked();
    const response = await follow(admin, id, [stranger.id, 'abc']);
    expect([response.status, titlesIn(response)]).toEqual([400, [`follower_ids names "abc", ${stranger.id}, which is no user of this workspace.`]]);
    expect(pointersIn(await follow(admin, id, []))).toEqual(['follower_ids']);
    expect((await follow(employee, id, [employee.id])).status).toBe(403);
    expect((await follow(admin, uuid, [employee.id])).status).toBe(404);
  });

  it('listTimeTrackingFollowers: 200 as type user by name, private facts blanked for those who may not read them', async () => {
    const { world, admin, employee, colleague, id, params } = await tracked();
    const anna = await world.addMember('employee', 'Anna');
    await follow(admin, id, [colleague.id, anna.id]);
    const list = async (person: Person, query = '') => (await person.call('listTimeTrackingFollowers', { params, query })).body;
    const names = (body: { data: { attributes: { username: string } }[] }) => body.data.map(({ attributes }) => attributes.username);
    const seen = await list(employee);
    expect(names(seen)).toEqual(['Anna', 'colleague']);
    expect(seen.data[0]).toMatchObject({ type: 'user', attributes: { salary: 0, birthday: null, tablet_pin: null, identifier_pin: '' } });
    expect((await list(admin)).data[0].attributes.identifier_pin).not.toBe('');
    expect(names(await list(employee, 'filter[username]=pre:a'))).toEqual(['Anna']);
    // What is blanked cannot be asked for either.
    expect(names(await list(employee, 'filter[identifier_pin]=eq:none&filter[salary]=gt:5&sort=-birthday'))).toEqual(['Anna', 'colleague']);
    expect((await list(employee, 'include=workspaces')).included).toHaveLength(1);
  });

  it('listTimeTrackingFollowers: 400 for a page that cannot be, 403 for a colleague, 404 for what is not there', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingFollowers', { params, query: 'page=x' }))).toEqual(['page']);
    expect((await colleague.call('listTimeTrackingFollowers', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingFollowers', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });

  it('deleteTimeTrackingFollower: 200 shows the tracking, then 404', async () => {
    const { admin, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    const path = { ...params, follower_id: colleague.id };
    const { status, body } = await admin.call('deleteTimeTrackingFollower', { params: path });
    expect([status, body.data.id, body.data.relationships.followers.data]).toEqual([200, id, []]);
    expect((await admin.call('deleteTimeTrackingFollower', { params: path })).status).toBe(404);
    expect((await admin.call('deleteTimeTrackingFollower', { params: { ...params, follower_id: 'abc' } })).status).toBe(404);
  });

  it('deleteTimeTrackingFollower: 403 for its owner', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    expect((await employee.call('deleteTimeTrackingFollower', { params: { ...params, follower_id: colleague.id } })).status).toBe(403);
  });

  it('who is deleted follows no more', async () => {
    const { admin, colleague, id, params } = await tracked();
    await follow(admin, id, [colleague.id]);
    await admin.call('deleteUser', { params: { user_id: colleague.id } });
    expect((await admin.call('getTimeTracking', { params })).body.data.relationships.followers.data).toEqual([]);
  });
});

describe('the files of a time tracking', () => {
  const attach = (person: Person, id: string, files: readonly { field: string; name: string; bytes: Buffer }[]) =>
    person.call('createTimeTrackingAttachments', { params: { time_tracking_id: id }, files });
  const file = (name: string, bytes: Buffer = Buffer.from(name)) => ({ field: 'files', name, bytes });

  it('createTimeTrackingAttachments: 201 with several at once, served by their signed address', async () => {
    const { employee, id } = await tracked();
    const { status, body } = await attach(employee, id, [file('Übersicht.txt'), file('shelf.png', png)]);
    expect(status).toBe(201);
    expect(body.data).toMatchObject([
      { type: 'attachment', attributes: { author: 'employee', file_name: 'Übersicht.txt', file_content_type: 'text/plain' } },
      { type: 'attachment', attributes: { file_name: 'shelf.png', file_content_type: 'image/png' } },
    ]);
    const { url } = await service();
    const served = await supertest(url).get(body.data[1].attributes.file_url);
    expect([served.status, served.headers['content-type']]).toEqual([200, 'image/png']);
    expect(served.body).toEqual(png);
  });

  it('createTimeTrackingAttachments: 201 with one, by a follower', async () => {
    const { admin, colleague, id, params } = await tracked();
    await admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [colleague.id] }) });
    expect((await attach(colleague, id, [file('a.txt')])).status).toBe(201);
    const { body } = await admin.call('getTimeTracking', { params });
    expect(body.data.attributes.attachments_count).toBe(1);
  });

  it('createTimeTrackingAttachments: 400 without a file, 403 for a colleague, 404 for what is not there', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    expect(pointersIn(await employee.call('createTimeTrackingAttachments', { params, form: { title: 'x' } }))).toEqual(['files']);
    expect((await attach(colleague, id, [file('a.txt')])).status).toBe(403);
    expect((await attach(admin, 'abc', [file('a.txt')])).status).toBe(404);
  });

  it('listTimeTrackingAttachments: 200 filtered; 400, 403 and 404', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    await attach(employee, id, [file('a.txt'), file('b.png', png)]);
    const { status, body } = await employee.call('listTimeTrackingAttachments', { params, query: 'filter[file_name]=suf:.png' });
    expect([status, body.data.length, body.meta.total_count]).toEqual([200, 1, 1]);
    expect(pointersIn(await admin.call('listTimeTrackingAttachments', { params, query: 'page=0' }))).toEqual(['page']);
    expect((await colleague.call('listTimeTrackingAttachments', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingAttachments', { params: { time_tracking_id: uuid } })).status).toBe(404);
  });

  const sign = (person: Person, id: string, bytes: Buffer, form: Record<string, string> = {}) =>
    person.call('createTimeTrackingSignature', { params: { time_tracking_id: id }, files: [{ field: 'image', name: 'signature.png', bytes }], form });

  it('createTimeTrackingSignature: 201 by its owner, with his name or a title', async () => {
    const { employee, admin, id, params } = await tracked();
    const { status, body } = await sign(employee, id, png);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'signature',
      attributes: { title: 'employee', image_file_name: 'signature.png', image_content_type: 'image/png' },
    });
    expect((await sign(admin, id, png, { title: 'Seen by Ada' })).body.data.attributes.title).toBe('Seen by Ada');
    const { body: listed } = await employee.call('listTimeTrackingSignatures', { params, query: 'filter[title]=pre:seen' });
    expect(listed.data).toHaveLength(1);
    expect((await admin.call('getTimeTracking', { params })).body.data.attributes.signatures_count).toBe(2);
  });

  it('createTimeTrackingSignature: 400 for what is no image, 403 for a follower, 404 for what is not there', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    expect(pointersIn(await sign(employee, id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toEqual(['image']);
    expect(pointersIn(await employee.call('createTimeTrackingSignature', { params, form: { title: 'x' } }))).toEqual(['image']);
    await admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [colleague.id] }) });
    expect((await sign(colleague, id, png)).status).toBe(403);
    expect((await sign(admin, '999999', png)).status).toBe(404);
  });

  it('listTimeTrackingSignatures: 400 for a page that cannot be, 403 for a colleague, 404 for what is not there', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingSignatures', { params, query: 'items=1000' }))).toEqual(['items']);
    expect((await colleague.call('listTimeTrackingSignatures', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingSignatures', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });
});

describe('an area admin', () => {
  it('may do with the records of his areas what admins may, and nothing with others', async () => {
    const { world, employee, id, params } = await tracked();
    const areaAdmin = await world.addMember('areaAdmin');
    expect((await areaAdmin.call('getTimeTracking', { params })).status).toBe(403);
    await areaWith(world, 'Bar', [areaAdmin, employee]);
    expect((await areaAdmin.call('confirmTimeTracking', { params })).status).toBe(200);
    expect((await areaAdmin.call('createTimeTrackingTag', { params, body: bodyOf('tag', { title: 'New' }) })).status).toBe(201);
    expect((await areaAdmin.call('deleteTimeTracking', { params })).body.data.id).toBe(id);
  });
});

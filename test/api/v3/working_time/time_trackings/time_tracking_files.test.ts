import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { png } from '../../../../support/images.ts';
import { areaWith, tracked, unknownUuid } from '../../../../support/time_trackings.ts';
import { bodyOf, type Person } from '../../../../support/world.ts';

describe('the files of a time tracking', () => {
  const attach = (person: Person, id: string, files: readonly { field: string; name: string; bytes: Buffer }[]) =>
    person.call('createTimeTrackingAttachments', { params: { time_tracking_id: id }, files });
  const file = (name: string, bytes: Buffer = Buffer.from(name)) => ({ field: 'files', name, bytes });

  it('createTimeTrackingAttachments: 201 with several at once, served by their signed address', async () => {
    const { employee, id } = await tracked();
    const { status, body } = await attach(employee, id, [file('Übersicht.txt'), file('shelf.png', png)]);
    expect(status).toBe(201);
    expect(body.data).toMatchObject([
      {
        type: 'attachment',
        attributes: { author: 'employee', file_name: 'Übersicht.txt', file_content_type: 'text/plain' },
      },
      { type: 'attachment', attributes: { file_name: 'shelf.png', file_content_type: 'image/png' } },
    ]);
    const served = await supertest('').get(body.data[1].attributes.file_url);
    expect([served.status, served.headers['content-type']]).toEqual([200, 'image/png']);
    expect(served.body).toEqual(png);
  });

  it('createTimeTrackingAttachments: 201 with one, by a follower', async () => {
    const { admin, colleague, id, params } = await tracked();
    await admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [colleague.id] }),
    });
    expect((await attach(colleague, id, [file('a.txt')])).status).toBe(201);
    const { body } = await admin.call('getTimeTracking', { params });
    expect(body.data.attributes.attachments_count).toBe(1);
  });

  it('createTimeTrackingAttachments: 400 without a file, 403 for a colleague, 404 for an unknown one', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    expect(pointersIn(await employee.call('createTimeTrackingAttachments', { params, form: { title: 'x' } }))).toEqual([
      'files',
    ]);
    expect((await attach(colleague, id, [file('a.txt')])).status).toBe(403);
    expect((await attach(admin, 'abc', [file('a.txt')])).status).toBe(404);
  });

  it('listTimeTrackingAttachments: 200 filtered; 400, 403 and 404', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    await attach(employee, id, [file('a.txt'), file('b.png', png)]);
    const { status, body } = await employee.call('listTimeTrackingAttachments', {
      params,
      query: 'filter[file_name]=suf:.png',
    });
    expect([status, body.data.length, body.meta.total_count]).toEqual([200, 1, 1]);
    expect(pointersIn(await admin.call('listTimeTrackingAttachments', { params, query: 'page=0' }))).toEqual(['page']);
    expect((await colleague.call('listTimeTrackingAttachments', { params })).status).toBe(403);
    expect(
      (await admin.call('listTimeTrackingAttachments', { params: { time_tracking_id: unknownUuid } })).status,
    ).toBe(404);
  });

  const sign = (person: Person, id: string, bytes: Buffer, form: Record<string, string> = {}) =>
    person.call('createTimeTrackingSignature', {
      params: { time_tracking_id: id },
      files: [{ field: 'image', name: 'signature.png', bytes }],
      form,
    });

  it('createTimeTrackingSignature: 201 by its owner, with their name or a title', async () => {
    const { employee, admin, id, params } = await tracked();
    const { status, body } = await sign(employee, id, png);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'signature',
      attributes: { title: 'employee', image_file_name: 'signature.png', image_content_type: 'image/png' },
    });
    expect((await sign(admin, id, png, { title: 'Seen by Ada' })).body.data.attributes.title).toBe('Seen by Ada');
    const { body: listed } = await employee.call('listTimeTrackingSignatures', {
      params,
      query: 'filter[title]=pre:seen',
    });
    expect(listed.data).toHaveLength(1);
    expect((await admin.call('getTimeTracking', { params })).body.data.attributes.signatures_count).toBe(2);
  });

  it('createTimeTrackingSignature: 400 for a file that is not an image, 403 for a follower, 404 for an unknown one', async () => {
    const { admin, employee, colleague, id, params } = await tracked();
    expect(pointersIn(await sign(employee, id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toEqual([
      'image',
    ]);
    expect(pointersIn(await employee.call('createTimeTrackingSignature', { params, form: { title: 'x' } }))).toEqual([
      'image',
    ]);
    await admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [colleague.id] }),
    });
    expect((await sign(colleague, id, png)).status).toBe(403);
    expect((await sign(admin, '999999', png)).status).toBe(404);
  });

  it('listTimeTrackingSignatures: 400 for an invalid page, 403 for a colleague, 404 for an unknown one', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingSignatures', { params, query: 'items=1000' }))).toEqual([
      'items',
    ]);
    expect((await colleague.call('listTimeTrackingSignatures', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingSignatures', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });
});

describe('an area admin', () => {
  it('may do with the records of their areas what admins may, and nothing with others', async () => {
    const { world, employee, id, params } = await tracked();
    const areaAdmin = await world.addMember('areaAdmin');
    expect((await areaAdmin.call('getTimeTracking', { params })).status).toBe(403);
    await areaWith(world, 'Bar', [areaAdmin, employee]);
    expect((await areaAdmin.call('confirmTimeTracking', { params })).status).toBe(200);
    expect(
      (await areaAdmin.call('createTimeTrackingTag', { params, body: bodyOf('tag', { title: 'New' }) })).status,
    ).toBe(201);
    expect((await areaAdmin.call('deleteTimeTracking', { params })).body.data.id).toBe(id);
  });
});

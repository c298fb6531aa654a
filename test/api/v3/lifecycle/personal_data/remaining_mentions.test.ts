import { describe, expect, it } from 'vitest';
import { png } from '../../../../support/images.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { anonymise, asked } from './support.ts';

describe('createAnonymisation', () => {
  it('201 with every text of others that still names the user, and no other', async () => {
    const world = await newWorld();
    const { admin, employee, workspaceId: workspace_id } = world;
    const user = await world.addMember('employee', 'Kim Former');
    const confirm = 'Kim Grown';
    await asked(admin, 'updateUser', { params: { user_id: user.id }, body: bodyOf('user', { username: confirm }) });

    const tracking = async () => {
      const { data } = await asked(admin, 'createTimeTracking', {
        body: bodyOf(
          'time_tracking',
          { starts_at: '2026-01-06T08:00:00+01:00', ends_at: '2026-01-06T09:00:00+01:00' },
          { user: { data: { type: 'user', id: String(employee.id) } } },
        ),
      });
      return { time_tracking_id: data.id as string };
    };
    const noted = async (params: { time_tracking_id: string }, content: string): Promise<string> =>
      (await asked(admin, 'createTimeTrackingNote', { params, body: bodyOf('note', { content }) })).data.id;
    const params = await tracking();
    const note = await noted(params, 'Swapped with Kim Grown.');
    const former = await noted(params, 'kim former was late.');
    await noted(params, 'Kim Formerly, and Kimberly.');
    const { data: files } = await asked(admin, 'createTimeTrackingAttachments', {
      params,
      files: [{ field: 'files', name: 'List of Kim Former.png', bytes: png }],
    });
    const { data: area } = await asked(admin, 'createArea', { body: bodyOf('area', { name: "Kim Former's bar" }) });
    const { data: entry } = await asked(admin, 'createTimeAccountEntry', {
      params: { user_id: employee.id },
      body: bodyOf('time_account_entry', { date: '2026-02-02', hours: 1, kind: 'correction', note: 'Says Kim Former' }),
    });
    const gone = await tracking();
    await noted(gone, 'Ask Kim Former.');
    await asked(admin, 'deleteTimeTracking', { params: gone });

    const { status, body } = await anonymise(admin, user.id, { confirm });
    expect([status, body.errors]).toEqual([201, undefined]);
    const { remaining_mentions: found } = body.data.attributes as { remaining_mentions: { record_type: string }[] };
    const isKept = ({ record_type }: { record_type: string }) =>
      ['deleted_record', 'history_event'].includes(record_type);
    const parent = { type: 'time_tracking', id: params.time_tracking_id };
    expect(found.filter((mention) => !isKept(mention))).toEqual([
      { record_type: 'area', record_id: area.id, attribute: 'name', workspace_id, parent: null },
      { record_type: 'attachment', record_id: files[0].id, attribute: 'file_name', workspace_id, parent },
      { record_type: 'note', record_id: note, attribute: 'content', workspace_id, parent },
      { record_type: 'note', record_id: former, attribute: 'content', workspace_id, parent },
      {
        record_type: 'time_account_entry',
        record_id: entry.id,
        attribute: 'note',
        workspace_id: null,
        parent: { type: 'user', id: String(employee.id) },
      },
    ]);
    expect(found.filter(isKept)).toEqual(
      expect.arrayContaining([
        {
          record_type: 'deleted_record',
          record_id: expect.any(String),
          attribute: 'notes.content',
          workspace_id,
          parent: { type: 'time_tracking', id: gone.time_tracking_id },
        },
        {
          record_type: 'history_event',
          record_id: expect.any(String),
          attribute: 'content',
          workspace_id,
          parent: { type: 'note', id: note },
        },
      ]),
    );
    expect(JSON.stringify(body)).not.toContain('Kim');
  });

  it('201 with none if nobody wrote about the user', async () => {
    const world = await newWorld();
    const user = await world.addMember('employee', 'Kim Former');
    const { body } = await anonymise(world.admin, user.id, { confirm: 'Kim Former' });
    expect(body.data.attributes.remaining_mentions).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../support/world.ts';

describe('createTimeTracking', () => {
  it('201 with breaks, area, tags and user', async () => {
    const { admin, employee } = await newWorld();
    const r = await admin.call('createTimeTracking', {
      body: bodyOf(
        'time_tracking',
        {
          starts_at: '2026-01-05T09:00:00+01:00',
          ends_at: '2026-01-05T09:06:00+01:00',
          breaks_attributes: [{ starts_at: '2026-01-05T09:02:00+01:00', ends_at: '2026-01-05T09:03:00+01:00' }],
        },
        { user: { data: { type: 'user_overview', id: employee.id } } },
      ),
    });
    console.log(JSON.stringify(r.body, null, 1));
    const l = await admin.call('listTimeTrackings', {
      query: 'include=user,breaks,notes,last_editor,workspace,followers,tags,area,attachments,signatures&permissions',
    });
    console.log(JSON.stringify(l.body, null, 1));
    expect(r.status).toBe(201);
  });
});

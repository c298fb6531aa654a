import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';

export type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

/** Locations, areas, tags, profiles and people. */
export async function makeOrganisation({ world, mark, named, asked, made }: Maker) {
  const { admin, employee, accountId } = world;
  await asked(admin, 'updateAccount', { body: bodyOf('account', { name: mark }) });
  await asked(admin, 'updateWorkspace', {
    body: bodyOf('workspace', {
      name: mark,
      external_id: named('workspace'),
      welcome_message: mark,
      phone: mark,
      allow_employees_tag_working_sessions: true,
    }),
  });
  const { id: otherWorkspaceId } = await world.newLocation(`${mark} 2`);
  const tag = await made('createTag', { body: bodyOf('tag', { title: mark, external_id: named('tag') }) });
  const area = (await world.newArea(mark, { external_id: named('area') })).id;
  const own = {
    username: mark,
    email: `${mark}@example.com`,
    external_id: named('user'),
    staff_number: mark,
    data_profiles: { phone: mark, desc: mark, cost_center: mark },
  };
  const user = (await world.newUser({ ...own, working_area_ids: area, tags: tag })).id;
  const { id: inviteeId } = await world.newUser({ username: mark, email: `invited-${mark}@example.com` });
  const leaver = { id: (await world.newUser({ username: `${mark} Leaver` })).id, username: `${mark} Leaver` };
  const [areaAdmin, workspaceAdmin, owner] = [
    await world.addMember('areaAdmin', mark),
    await world.addMember('workspaceAdmin', mark),
    await world.addMember('accountAdmin', mark),
  ];
  await asked(admin, 'updateArea', {
    params: { area_id: area },
    body: bodyOf('area', { user_ids: [user, areaAdmin.id, employee.id] }),
  });
  const data_profile = await made('createDataProfile', { body: bodyOf('data_profile', { title: mark }) });
  const custom_field = await made('createCustomField', {
    body: bodyOf('custom_field', { title: mark, data_type: 'float', data_profile_id: data_profile }),
  });
  await asked(admin, 'updateUserDataProfile', {
    params: { user_id: user, data_profile_id: data_profile },
    body: bodyOf('data_profile', { custom_field_values_attributes: [{ custom_field_id: custom_field, value: '7' }] }),
  });
  await asked(admin, 'updatePreference', {
    params: { user_id: admin.id, preference_id: 1 },
    body: bodyOf('preference', { value: { [mark]: true } }),
  });
  const ids = { account: accountId, workspace: world.workspaceId, area, user, tag, data_profile, custom_field };
  return { ids, otherWorkspaceId, inviteeId, leaver, areaAdmin, workspaceAdmin, owner };
}

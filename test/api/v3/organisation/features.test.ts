import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

const featuresOf = async (person: Person): Promise<Record<string, Record<string, boolean>>> => {
  const { status, body } = await person.call('getFeatures');
  expect(status).toBe(200);
  return Object.fromEntries(
    body.data.map(({ attributes }: { attributes: { hint: string; permissions: object } }) => [
      attributes.hint,
      attributes.permissions,
    ]),
  );
};

const everybody = ['Absence', 'TimeTracking', 'Profile', 'General', 'Analytic', 'Calendar'];
const admins = ['WorkspaceUser', 'Export', 'Evaluation', 'Workflow'];

describe('getFeatures', () => {
  it('200 with the features of everybody for employees, and with those of admins for admins', async () => {
    const world = await newWorld();
    expect(Object.keys(await featuresOf(world.employee))).toEqual(everybody);
    const areaAdmin = await featuresOf(await world.addMember('areaAdmin'));
    expect(Object.keys(areaAdmin)).toEqual([...everybody, ...admins]);
    const workspaceAdmin = await featuresOf(await world.addMember('workspaceAdmin'));
    const acts = { create_workspace_users: 'WorkspaceUser', update: 'Workflow' };
    for (const [act, hint] of Object.entries(acts))
      expect([areaAdmin[hint]![act], workspaceAdmin[hint]![act]]).toEqual([false, true]);
    for (const permissions of Object.values(workspaceAdmin)) expect(Object.keys(permissions)).not.toEqual([]);
  });

  it('200 agrees with what the operations allow', async () => {
    const world = await newWorld();
    const newUser = (username: string) => ({ body: bodyOf('user', { username }) });
    for (const role of ['areaAdmin', 'workspaceAdmin'] as const) {
      const person = await world.addMember(role);
      const { status } = await person.call('createUser', newUser(role));
      const { WorkspaceUser } = await featuresOf(person);
      expect(WorkspaceUser!.create_workspace_users).toBe(status === 201);
    }
  });

  it('200 with the same ids for everybody', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    const idsOf = async ({ admin }: { admin: Person }) =>
      (await admin.call('getFeatures')).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(one)).toEqual(await idsOf(other));
    expect(new Set(await idsOf(one)).size).toBe(10);
  });

  it('404 for a stranger', async () => {
    expect((await (await newWorld()).stranger.call('getFeatures')).status).toBe(404);
  });
});

describe('getTimeTrackingMethods', () => {
  it('200 with the five ways to record time, in the language of the workspace', async () => {
    const { admin, employee } = await newWorld();
    const methods = async () =>
      (await employee.call('getTimeTrackingMethods')).body.data.map(
        ({ id, attributes }: { id: string; attributes: { name: string; localized_name: string } }) => [
          id,
          attributes.name,
          attributes.localized_name,
        ],
      );
    const german = await methods();
    expect(german.map(([id, name]: string[]) => `${id} ${name}`)).toEqual([
      '1 via_time_tracking',
      '2 via_roster',
      '3 via_browser_time_clock',
      '4 via_app',
      '5 via_terminal_app',
    ]);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { locale: 'en' }) });
    expect([german[0][2], (await methods())[0][2]]).toEqual(['Von Hand eingetragen', 'Entered by hand']);
  });

  it('404 for a stranger', async () => {
    expect((await (await newWorld()).stranger.call('getTimeTrackingMethods')).status).toBe(404);
  });
});

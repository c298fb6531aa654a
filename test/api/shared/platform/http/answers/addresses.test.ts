import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { readExampleFiles } from '../../../../../../scripts/examples/files.ts';
import { readContract } from '../../../../../../src/platform/http/contract_document.ts';
import { images } from '../../../../../support/images.ts';
import { insertTimeTracking } from '../../../../../support/records.ts';
import { serviceWith } from '../../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../../support/world.ts';

/** The texts of a value that begin with a slash, each with its place. */
function pathsIn(value: unknown, place: string): string[] {
  if (typeof value === 'string') return value.startsWith('/') ? [`${place}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, `${place}.${name}`));
}

describe('an address in an answer', () => {
  it('is absolute in every recorded answer', () => {
    const examples = Object.values(readExampleFiles()).flatMap((files) => Object.entries(files));
    expect(examples.length).toBeGreaterThan(200);
    expect(examples.flatMap(([name, { response }]) => pathsIn(response, name))).toEqual([]);
  });

  it.each(['v3', 'public'] as const)('is absolute in every example of the schemas of %s', (api) => {
    const examplesIn = (node: unknown, place: string): string[] =>
      typeof node !== 'object' || node === null
        ? []
        : Object.entries(node).flatMap(([name, member]) =>
            name === 'example' || name === 'examples' ? pathsIn(member, place) : examplesIn(member, `${place}.${name}`),
          );
    expect(examplesIn(readContract(api).components.schemas, api)).toEqual([]);
  });

  it('can be fetched as it is: files, avatars and placeholders', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const avatar = `data:image/png;base64,${images.png}`;
    const user = await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', avatar }) });
    const workspace = await admin.call('updateWorkspace', { body: bodyOf('workspace', { avatar }) });
    const time_tracking_id = await insertTimeTracking(world, employee.id);
    const file = { field: 'files', name: 'note.png', bytes: Buffer.from(images.png, 'base64') };
    const attached = await admin.call('createTimeTrackingAttachments', { params: { time_tracking_id }, files: [file] });
    const self = await employee.call('getCurrentWorkspaceUser');
    const fresh = await world.stranger.call('getCurrentUser', { query: 'include=workspaces' });
    const addresses = [
      user.body.data.attributes.avatar,
      user.body.data.attributes.avatar_thumb_url,
      workspace.body.data.attributes.avatar,
      attached.body.data[0].attributes.file_url,
      self.body.data.attributes.avatar,
      fresh.body.included[0].attributes.avatar,
    ] as string[];
    for (const address of addresses) {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(files|images)\//);
      expect((await supertest('').get(address)).status).toBe(200);
    }
  });

  it('begins with PUBLIC_URL where it is set', async () => {
    const { admin } = await newWorld();
    const url = await serviceWith({ PUBLIC_URL: 'https://time.example.com' });
    const { body } = await admin.call('getCurrentUser', { at: url });
    expect(body.data.attributes.avatar).toBe('https://time.example.com/images/avatar.png');
  });
});

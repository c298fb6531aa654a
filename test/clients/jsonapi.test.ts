import Jsona from 'jsona';
import Kitsu from 'kitsu';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerOf, resourceApi } from '../../src/client/client.ts';
import { serverUrl } from './server.ts';

/*
 * General libraries for JSON:API. They read a list and replace relationships by the included records.
 */
let token: string;

beforeAll(async () => {
  const body = {
    data: { type: 'user', attributes: { email: 'admin@example.com', password: 'demo-password' } },
  } as const;
  const signedIn = await answerOf(resourceApi({ url: serverUrl(), apiKey: 'demo-api-key' }).POST('/sign_in', { body }));
  token = signedIn.data.attributes.access_token;
});

interface Resolved {
  readonly id: string;
  readonly type: string;
}
interface Named extends Resolved {
  readonly name: string;
}
interface Tracking extends Resolved {
  readonly net_time: number;
  readonly user: Resolved & { readonly username: string };
  readonly area: Named;
  readonly workspace: Named;
}

const include = 'user,area,workspace';
const filter = { user_id: '2' };

/** Every included relationship was replaced by the record with its attributes. */
function expectResolved(trackings: readonly Tracking[]): void {
  expect(trackings).toHaveLength(5);
  for (const { type, net_time, user, area, workspace } of trackings) {
    expect([type, user.type, user.username, area.type, workspace.type]).toEqual([
      'time_tracking',
      'user_overview',
      'Erin Example',
      'area',
      'workspace',
    ]);
    expect([area.name, workspace.name]).toEqual(['Kitchen', 'Harbour Restaurant']);
    expect(net_time).toBeGreaterThan(0);
  }
}

describe('kitsu', () => {
  const client = () =>
    new Kitsu({
      baseURL: `${serverUrl()}/api/v3`,
      headers: { Authorization: `Bearer ${token}` },
      pluralize: false,
      resourceCase: 'none',
      camelCaseTypes: false,
    });

  it('reads a list with includes and resolves its relationships', async () => {
    const answer = (await client().get('workspaces/1/time_trackings', {
      params: { include, filter, items: 5 } as object,
    })) as {
      data: (Tracking & { user: { data: Tracking['user'] }; area: { data: Named }; workspace: { data: Named } })[];
      meta: { total_pages: number };
    };
    expect(answer.meta.total_pages).toBeGreaterThan(1);
    expectResolved(
      answer.data.map((tracking) => ({
        ...tracking,
        user: tracking.user.data,
        area: tracking.area.data,
        workspace: tracking.workspace.data,
      })),
    );
  });
});

describe('jsona', () => {
  it('reads a list with includes and resolves its relationships', async () => {
    const query = new URLSearchParams({ include, 'filter[user_id]': filter.user_id, items: '5' });
    const response = await fetch(`${serverUrl()}/api/v3/workspaces/1/time_trackings?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expectResolved(new Jsona().deserialize(await response.text()) as unknown as Tracking[]);
  });

  it('writes a body that the service accepts', async () => {
    const tag = new Jsona().serialize({ stuff: { type: 'tag', title: 'Inventory' } as never });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.api+json' };
    const response = await fetch(`${serverUrl()}/api/v3/workspaces/1/tags`, {
      method: 'POST',
      headers,
      body: JSON.stringify(tag),
    });
    expect(response.status).toBe(201);
    expect(new Jsona().deserialize(await response.text())).toMatchObject({ type: 'tag', title: 'Inventory' });
  });
});

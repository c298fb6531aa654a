import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { images } from '../../../../support/images.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const dataUrl = (kind: keyof typeof images, type: string = kind): string => `data:image/${type};base64,${images[kind]}`;

let world: World;
let url: string;
beforeAll(async () => {
  world = await newWorld();
  ({ url } = await service());
});

const createUser = (avatar: unknown) =>
  world.admin.call('createUser', { body: bodyOf('user', { username: 'Robin', avatar }) });
const updateUser = (user_id: string, avatar: unknown) =>
  world.admin.call('updateUser', { params: { user_id }, body: bodyOf('user', { avatar }) });
const fetch = (address: string) =>
  supertest('')
    .get(new URL(address, url).href)
    .buffer(true)
    .parse((response, done) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => done(null, Buffer.concat(pieces)));
    });

describe('an avatar as a data URL', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('of the kind %s is stored and served as its type', async (kind) => {
    const { status, body } = await createUser(dataUrl(kind));
    expect(status).toBe(201);
    const { avatar, avatar_thumb_url, avatar_medium_url } = body.data.attributes;
    expect(avatar).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/\d+\/[0-9a-f-]{36}\?expires=\d+&signature=[\w-]{43}$/);
    expect([avatar_thumb_url, avatar_medium_url]).toEqual([avatar, avatar]);
    const response = await fetch(avatar);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': `image/${kind}`,
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename*=UTF-8''avatar.${kind === 'jpeg' ? 'jpg' : kind}`,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((response.body as Buffer).equals(Buffer.from(images[kind], 'base64'))).toBe(true);
  });

  it('is served as the type of its bytes, whatever type it claims', async () => {
    const { body } = await createUser(dataUrl('png', 'jpg'));
    expect((await fetch(body.data.attributes.avatar)).headers['content-type']).toBe('image/png');
  });

  it('belongs to workspaces too', async () => {
    const { body } = await world.admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Hill', avatar: dataUrl('webp') }),
    });
    expect((await fetch(body.data.attributes.avatar)).headers['content-type']).toBe('image/webp');
  });

  it('is deleted when it is replaced or removed', async () => {
    const { body } = await createUser(dataUrl('png'));
    const first = body.data.attributes.avatar;
    const second = (await updateUser(body.data.id, dataUrl('webp'))).body.data.attributes.avatar;
    expect(second).not.toBe(first);
    expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);
    expect((await updateUser(body.data.id, undefined)).body.data.attributes.avatar).toBe(second);
    expect((await updateUser(body.data.id, null)).body.data.attributes.avatar).toBe(`${url}/images/avatar.png`);
    expect((await fetch(second)).status).toBe(404);
    const { db } = world;
    expect(
      await db.selectFrom('users').select('avatar_file_id').where('id', '=', Number(body.data.id)).executeTakeFirst(),
    ).toEqual({ avatar_file_id: null });
  });
});

describe('an avatar that is refused', () => {
  it.each([
    'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    'data:text/html;base64,PGh0bWw+',
    'data:image/png;base64,',
    'data:image/png,abc',
    'http://example.com/a.png',
    'https://',
    'javascript:alert(1)',
    '/images/avatar.png',
    5,
  ])('400 for %s', async (avatar) => {
    const response = await createUser(avatar);
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['avatar']);
  });

  it('400 says what is allowed', async () => {
    expect(titlesIn(await createUser('nonsense'))).toEqual([
      'avatar must be an https address, or a data URL with a PNG, JPEG or WebP image in base64, but was "nonsense".',
    ]);
  });

  it('400 for bytes that are no such image, whatever their label', async () => {
    const svg = `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64')}`;
    for (const avatar of [
      svg,
      'data:image/png;base64,AAAA',
      `data:image/webp;base64,${Buffer.from('GIF89a').toString('base64')}`,
    ]) {
      expect(titlesIn(await createUser(avatar))).toEqual([
        'avatar must be a PNG, JPEG or WebP image, and these bytes are none.',
      ]);
    }
  });
});

describe('an avatar elsewhere', () => {
  it('is returned as given', async () => {
    const avatar = 'https://images.example.com/r.png?size=1&x=%20';
    const { body } = await createUser(avatar);
    expect([body.data.attributes.avatar, body.data.attributes.avatar_thumb_url]).toEqual([avatar, avatar]);
  });
});

describe('the placeholders', () => {
  it.each(['/images/avatar.png', '/images/workspace.png'])('%s is an existing image', async (address) => {
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('image/png');
    expect((response.body as Buffer).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('a link', () => {
  it('404 once it has expired, was changed, or was never signed', async () => {
    const { body } = await createUser(dataUrl('png'));
    const link = new URL(body.data.attributes.avatar, url);
    const [, , accountId, fileId] = link.pathname.split('/');
    const expired = signedLinks('test key', () => new Date(Date.now() - 26 * 3600 * 1000)).file(
      Number(accountId),
      fileId!,
    );
    const forged = signedLinks('another key').file(Number(accountId), fileId!);
    const later = link.search.replace(/expires=\d+/, 'expires=99999999999');
    const otherAccount = `/files/${Number(accountId) + 1}/${fileId}${link.search}`;
    for (const address of [
      expired,
      forged,
      link.pathname,
      link.pathname + later,
      otherAccount,
      `${link.pathname}?expires=x&signature=y`,
      `/files/abc/def${link.search}`,
    ])
      expect((await supertest(url).get(address)).status, address).toBe(404);
    expect((await fetch(link.pathname + link.search)).status).toBe(200);
  });

  it('stays the same within the hour, so that it can be cached', async () => {
    const { body } = await createUser(dataUrl('png'));
    const again = await world.admin.call('getUser', { params: { user_id: body.data.id } });
    const [one, other] = [body.data.attributes.avatar, again.body.data.attributes.avatar];
    // The hour may end between the two.
    if (one !== other) expect(new URL(one, url).pathname).toBe(new URL(other, url).pathname);
  });
});

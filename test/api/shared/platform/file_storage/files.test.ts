import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import { createAttachments, type AttachmentRow } from '../../../../../src/platform/files/attachments.ts';
import { findFile, piecesOf, removeFiles } from '../../../../../src/platform/files/files.ts';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { createSignature } from '../../../../../src/platform/files/signatures.ts';
import { png } from '../../../../support/images.ts';
import { actorOf, insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { newWorld, type World } from '../../../../support/world.ts';

const now = new Date('2026-03-02T10:00:00Z');

/** The links of the service in tests. */
const links = signedLinks('test key');
const get = async (address: string) => supertest('').get(new URL(address, (await service()).url).href);
const addressOf = (row: AttachmentRow) => links.file(row.account_id, row.file_id);

async function attach(world: World, files: readonly { name: string; bytes: Buffer }[]) {
  const owner = { time_tracking_id: await insertTimeTracking(world, world.employee.id) };
  const actor = await actorOf(world, world.admin);
  const rows = await forAccount(world.db, world.accountId, (tx) => createAttachments(tx, actor, owner, files, now));
  return { owner, rows };
}

describe('a signed link', () => {
  it('leads to the file, with its name and type, without a credential', async () => {
    const { rows } = await attach(await newWorld(), [{ name: "Erin's (new) façade*.png", bytes: png }]);
    const response = await get(addressOf(rows[0]!));
    expect(response.status).toBe(200);
    expect(response.body).toEqual(png);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': "inline; filename*=UTF-8''Erin%27s%20%28new%29%20fa%C3%A7ade%2A.png",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(response.headers['cache-control']).toMatch(/^private/);
  });

  it('is in the response of an upload', async () => {
    const world = await newWorld();
    const params = { time_tracking_id: await insertTimeTracking(world, world.employee.id) };
    const files = [{ field: 'files', name: 'shelf.png', bytes: png }];
    const { status, body } = await world.employee.call('createTimeTrackingAttachments', { params, files });
    expect(status).toBe(201);
    expect(body.data[0].attributes).toMatchObject({
      author: 'employee',
      file_name: 'shelf.png',
      file_content_type: 'image/png',
    });
    expect((await get(body.data[0].attributes.file_url)).body).toEqual(png);
  });

  it('404 once it has expired, and when anything about it was changed', async () => {
    const { rows } = await attach(await newWorld(), [
      { name: 'a.png', bytes: png },
      { name: 'b.png', bytes: png },
    ]);
    const [own, other] = rows as [AttachmentRow, AttachmentRow];
    const expired = signedLinks('test key', () => new Date(Date.now() - 26 * 3600 * 1000)).file(
      own.account_id,
      own.file_id,
    );
    const address = addressOf(own);
    const changed = [
      expired,
      address.replace(/expires=\d+/, (text) => `${text}0`),
      address.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
      address.replace(own.file_id, other.file_id),
      address.replace(`/files/${own.account_id}/`, `/files/${own.account_id + 1}/`),
      address.replace(/&signature=.*/, ''),
      address.replace(/expires=\d+&/, ''),
      address.split('?')[0]!,
      `${address.split('?')[0]}?expires[]=1&signature[]=2`,
      signedLinks('another key').file(own.account_id, own.file_id),
    ];
    for (const wrong of changed) expect([wrong, (await get(wrong)).status]).toEqual([wrong, 404]);
    expect((await get(address)).status).toBe(200);
  });

  it('404 once the file is gone', async () => {
    const world = await newWorld();
    const { rows } = await attach(world, [{ name: 'a.png', bytes: png }]);
    await world.db.deleteFrom('attachments').where('account_id', '=', world.accountId).execute();
    await removeFiles(world.db, world.accountId, [rows[0]!.file_id]);
    expect((await get(addressOf(rows[0]!))).status).toBe(404);
    expect(await findFile(world.db, world.accountId, rows[0]!.file_id)).toBeUndefined();
    expect(
      await world.db.selectFrom('file_pieces').select('position').where('account_id', '=', world.accountId).execute(),
    ).toEqual([]);
  });

  it('stays the same within the hour, so that a browser can use its cache', () => {
    const at = (time: string) => signedLinks('key', () => new Date(time)).file(1, 'f');
    expect(at('2026-03-02T10:01:00Z')).toBe(at('2026-03-02T10:59:00Z'));
    expect(at('2026-03-02T10:01:00Z')).not.toBe(at('2026-03-02T11:01:00Z'));
  });
});

describe('what a browser could run', () => {
  const script = '<script>alert(document.domain)</script>';
  it.each([
    ['HTML', 'page.html', `<!doctype html><html><body>${script}</body></html>`],
    ['HTML after blanks', 'page.htm', `\n\n  <html>${script}</html>`],
    ['SVG', 'image.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    ['SVG with a prolog', 'image.svg', `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    ['XHTML', 'page.xhtml', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
    [
      'an XSL sheet',
      'sheet.xml',
      '<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)" type="text/xsl"?><a/>',
    ],
    ['a script', 'run.js', 'alert(document.domain)'],
    ['a page archive', 'page.mht', `MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n${script}`],
    ['HTML that calls itself an image', 'image.png', `<html>${script}</html>`],
  ])('%s is never served as that', async (_what, name, text) => {
    const { rows } = await attach(await newWorld(), [{ name, bytes: Buffer.from(text) }]);
    const { status, headers } = await get(addressOf(rows[0]!));
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^(text\/plain|application\/octet-stream)(;|$)/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    if (headers['content-type'] !== 'text/plain; charset=utf-8')
      expect(headers['content-disposition']).toMatch(/^attachment;/);
  });
});

describe('a large file', () => {
  it('is streamed in pieces, and arrives whole', async () => {
    const world = await newWorld();
    const bytes = randomBytes(10 * 1024 * 1024 + 17);
    const { rows } = await attach(world, [{ name: 'large.bin', bytes }]);
    const file = (await findFile(world.db, world.accountId, rows[0]!.file_id))!;
    const sizes: number[] = [];
    for await (const piece of piecesOf(world.db, world.accountId, file)) sizes.push(piece.length);
    expect(sizes).toEqual([...Array<number>(40).fill(256 * 1024), 17]);
    const response = await fetch((await service()).url + addressOf(rows[0]!));
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    const hash = createHash('sha256');
    for await (const piece of response.body!) hash.update(piece as Uint8Array);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('that is removed while it is sent breaks off instead of hanging', async () => {
    const world = await newWorld();
    const { rows } = await attach(world, [{ name: 'large.bin', bytes: randomBytes(8 * 1024 * 1024) }]);
    await world.db
      .deleteFrom('file_pieces')
      .where('account_id', '=', world.accountId)
      .where('position', '=', 20)
      .execute();
    const response = await fetch((await service()).url + addressOf(rows[0]!));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('whose client disconnects does not harm the service', async () => {
    const world = await newWorld();
    const { rows } = await attach(world, [{ name: 'large.bin', bytes: randomBytes(8 * 1024 * 1024) }]);
    const leaving = new AbortController();
    const response = await fetch((await service()).url + addressOf(rows[0]!), { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    expect((await get('/images/avatar.png')).status).toBe(200);
  });
});

describe('createAttachments', () => {
  it('keeps the order, finds types from bytes, and takes an empty file and one without a name', async () => {
    const { rows } = await attach(await newWorld(), [
      { name: 'picture.txt', bytes: png },
      { name: 'empty', bytes: Buffer.alloc(0) },
      { name: '', bytes: Buffer.from('hello') },
      { name: 'binary', bytes: Buffer.from([1, 0, 255]) },
    ]);
    expect(rows.map(({ file_name, file_content_type }) => [file_name, file_content_type])).toEqual([
      ['picture.txt', 'image/png'],
      ['empty', 'text/plain'],
      ['file', 'text/plain'],
      ['binary', 'application/octet-stream'],
    ]);
    expect(rows[0]).toMatchObject({ author: 'admin' });
    expect((await get(addressOf(rows[1]!))).status).toBe(200);
  });

  it('refuses names that cannot be stored, all at once, and stores nothing', async () => {
    const world = await newWorld();
    const files = [
      { name: 'x'.repeat(256), bytes: png },
      { name: 'a\0b', bytes: png },
    ];
    await expect(attach(world, files)).rejects.toMatchObject({
      status: 400,
      problems: [{ pointer: 'files/0' }, { pointer: 'files/1' }],
    });
    expect(await world.db.selectFrom('files').select('id').where('account_id', '=', world.accountId).execute()).toEqual(
      [],
    );
  });
});

describe('createSignature', () => {
  it('stores an image, with the title given or the name of the actor', async () => {
    const world = await newWorld();
    const owner = { time_tracking_id: await insertTimeTracking(world, world.employee.id) };
    const actor = await actorOf(world, world.admin);
    const sign = async (title?: string) =>
      forAccount(world.db, world.accountId, (tx) =>
        createSignature(tx, actor, owner, { title, image: { name: 's.png', bytes: png } }, now),
      );
    expect(await sign('Erin')).toMatchObject({
      title: 'Erin',
      file_name: 's.png',
      file_content_type: 'image/png',
      file_created_at: now,
    });
    expect(await sign()).toMatchObject({ title: 'admin' });
    expect(await sign(' ')).toMatchObject({ title: 'admin' });
  });

  it('refuses a file that is not an image, whatever its name', async () => {
    const world = await newWorld();
    const owner = { time_tracking_id: await insertTimeTracking(world, world.employee.id) };
    const actor = await actorOf(world, world.admin);
    const image = { name: 's.png', bytes: Buffer.from('<svg/>') };
    const signing = forAccount(world.db, world.accountId, (tx) => createSignature(tx, actor, owner, { image }, now));
    await expect(signing).rejects.toMatchObject({ status: 400, problems: [{ pointer: 'image' }] });
  });
});

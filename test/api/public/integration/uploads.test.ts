import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { call, pointersIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const doc = (bytes = pdf, name = 'contract.pdf') => ({ field: 'doc', name, bytes });

describe('createUpload', () => {
  it('200 for a user named by id, the token in the form', async () => {
    const { apiToken, newUser } = await newEnterprise();
    const { id } = await newUser();
    const form = { api_token: apiToken, user_id: String(id), title: 'Contract', description: 'Signed' };
    const { status, body } = await call('public', 'createUpload', { form, files: [doc()] });
    expect(status).toBe(200);
    expect(body.upload).toMatchObject({
      title: 'Contract',
      description: 'Signed',
      user_id: id,
      doc_file_name: 'contract.pdf',
      doc_content_type: 'application/pdf',
      doc_file_size: pdf.length,
    });
  });

  it('200 for a user named by external id, the token in the query, with the name of the file for a title', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser({ external_id: 'erika' });
    const { body } = await enterprise('createUpload', {
      form: { user_external_id: 'erika', title: '' },
      files: [doc(pdf, 'Verträge.pdf')],
    });
    expect(body.upload).toMatchObject({
      user_id: id,
      title: 'Verträge.pdf',
      doc_file_name: 'Verträge.pdf',
      description: '',
    });
  });

  it('200 and an address that serves the file, until it is tampered with', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser();
    const { body } = await enterprise('createUpload', { form: { user_id: String(id) }, files: [doc()] });
    const { url } = body.upload;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//);
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true);
    expect((await supertest(url.replace(/expires=\d/, 'expires=9')).get('')).status).toBe(404);
    expect((await supertest(url.split('?')[0]).get('')).status).toBe(404);
  });

  it('400 without a file, without a user, with an unknown one, or with text for a file', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser();
    const attempt = async (form: Record<string, string>, files = [doc()]) => {
      const response = await enterprise('createUpload', { form, files });
      return [response.status, pointersIn(response)];
    };
    expect(await attempt({ user_id: String(id) }, [])).toEqual([400, ['doc']]);
    expect(await attempt({ user_id: String(id), doc: 'text' }, [])).toEqual([400, ['doc']]);
    expect(await attempt({})).toEqual([400, ['user_id']]);
    expect(await attempt({ user_id: '999999999' })).toEqual([400, ['user_id']]);
    expect(await attempt({ user_id: 'abc' })).toEqual([400, ['user_id']]);
    expect(await attempt({ user_external_id: 'nobody' })).toEqual([400, ['user_external_id']]);
    expect(await attempt({ user_id: String(id), title: 'x'.repeat(256) })).toEqual([400, ['title']]);
  });

  it('401 without a token, and with a wrong one in the form', async () => {
    const { newUser } = await newEnterprise();
    const { id } = await newUser();
    expect((await call('public', 'createUpload', { form: { user_id: String(id) }, files: [doc()] })).status).toBe(401);
    expect(
      (await call('public', 'createUpload', { form: { user_id: String(id), api_token: 'nobody' }, files: [doc()] }))
        .status,
    ).toBe(401);
  });

  it('413 for two files, 415 for JSON', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser();
    expect((await enterprise('createUpload', { form: { user_id: String(id) }, files: [doc(), doc()] })).status).toBe(
      413,
    );
    expect((await enterprise('createUpload', { body: { user_id: id } })).status).toBe(415);
  });
});

describe('listUploads', () => {
  it('200 with the documents of a user named by id or by external id, by title, in pages', async () => {
    const { db, accountId, enterprise, newUser } = await newEnterprise();
    const { id } = await newUser({ external_id: 'erika' });
    const { body } = await enterprise('createUpload', {
      form: { user_id: String(id), title: 'Contract' },
      files: [doc()],
    });
    const { file_id } = await db
      .selectFrom('uploads')
      .select('file_id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const now = new Date();
    const row = { account_id: accountId, user_id: id, file_id, created_at: now, updated_at: now };
    await db
      .insertInto('uploads')
      .values(Array.from({ length: 25 }, (_, index) => ({ ...row, title: `Paper ${index}` })))
      .execute();

    for (const query of [`user_id=${id}`, 'user_external_id=erika']) {
      const page = (await enterprise('listUploads', { query })).body;
      expect([page.uploads.length, page.page_number, page.total_pages]).toEqual([25, 1, 2]);
      const next = (await supertest(page.next_page).get('')).body;
      expect([next.uploads.length, next.page_number, next.next_page]).toEqual([1, 2, null]);
    }
    const titled = (await enterprise('listUploads', { query: { user_id: id, title: 'Contract' } })).body.uploads;
    expect(titled.map((upload: { id: number }) => upload.id)).toEqual([body.upload.id]);
    for (const title of ['contract', 'Contr', 'Contr%', 'a\0b']) {
      expect((await enterprise('listUploads', { query: { user_id: id, title } })).body.uploads).toEqual([]);
    }
  });

  it('400 without a user, or with names that differ; 404 for an unknown user', async () => {
    const { enterprise, newUser, employee } = await newEnterprise();
    await newUser({ external_id: 'erika' });
    const nameless = await enterprise('listUploads');
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['user_id']]);
    const differing = await enterprise('listUploads', { query: { user_id: employee.id, user_external_id: 'erika' } });
    expect([differing.status, pointersIn(differing)]).toEqual([400, ['user_id']]);
    expect((await enterprise('listUploads', { query: { user_id: 999999999 } })).status).toBe(404);
    expect((await enterprise('listUploads', { query: { user_external_id: 'nobody' } })).status).toBe(404);
  });
});

describe('getUpload', () => {
  it('200, also with the user it belongs to', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser({ external_id: 'erika' });
    const made = (
      await enterprise('createUpload', { form: { user_id: String(user_id), title: 'Contract' }, files: [doc()] })
    ).body;
    for (const query of ['', `user_id=${user_id}`, 'user_external_id=erika', 'page=3']) {
      const { status, body } = await enterprise('getUpload', { params: { id: made.upload.id }, query });
      expect(status).toBe(200);
      expect(body).toEqual(made);
    }
  });

  it('400 with an invalid page, 404 for a document that is unknown, of another user, or of a deleted one', async () => {
    const { enterprise, newUser, employee } = await newEnterprise();
    const { id: user_id } = await newUser();
    const { id } = (await enterprise('createUpload', { form: { user_id: String(user_id) }, files: [doc()] })).body
      .upload;
    expect((await enterprise('getUpload', { params: { id }, query: { page: 0 } })).status).toBe(400);
    for (const wrong of ['999999999', 'abc', '0', '99999999999999999999'])
      expect((await enterprise('getUpload', { params: { id: wrong } })).status).toBe(404);
    expect((await enterprise('getUpload', { params: { id }, query: { user_id: employee.id } })).status).toBe(404);
    expect((await enterprise('getUpload', { params: { id }, query: { user_external_id: 'nobody' } })).status).toBe(404);
    await enterprise('deletePublicUser', { query: { id: user_id } });
    expect((await enterprise('getUpload', { params: { id } })).status).toBe(404);
  });
});

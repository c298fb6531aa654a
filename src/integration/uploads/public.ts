import type { components } from '../../../generated/public.ts';
import { invalid, notFound } from '../../platform/core/errors.ts';
import type { Links } from '../../platform/core/links.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { utcForm } from '../../platform/core/time.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { findUser } from '../../organisation/users/users.ts';
import { createUpload, findUpload, listUploads, type UploadRow } from './uploads.ts';

const presentUpload = (row: UploadRow, { links }: { links: Links }): components['schemas']['Upload'] => ({
  id: row.id,
  title: row.title,
  description: row.description,
  user_id: row.user_id,
  doc_file_name: row.file_name,
  doc_content_type: row.content_type,
  doc_file_size: row.size_bytes,
  doc_updated_at: utcForm(row.file_created_at),
  url: links.file(row.account_id, row.file_id),
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
});

export const uploadHandlers = publicApi.part({
  async listUploads(call) {
    const { db, actor, query } = call;
    const user = await findUser(db, actor, refIn('user_', query));
    const { rows, paging } = await listUploads(db, actor, user.id, query.title, pageIn(call));
    return { uploads: rows.map((row) => presentUpload(row, call)), ...pageMembers(paging, call) };
  },

  async getUpload(call) {
    const { db, actor, query } = call;
    const row = await findUpload(db, actor, call.params.id);
    const owner = await findUser(db, actor, isNamed('user_', query) ? refIn('user_', query) : row.user_id);
    if (owner.id !== row.user_id) throw notFound('upload');
    return { upload: presentUpload(row, call) };
  },

  async createUpload(call) {
    const { db, actor, body, now } = call;
    const file = call.files.find(({ field }) => field === 'doc');
    if (!file) throw invalid('invalid_type', 'doc', 'doc must be a file, but was text.');
    const { title, description } = body;
    return {
      upload: presentUpload(
        await createUpload(db, actor, refIn('user_', body), { title, description, file }, now),
        call,
      ),
    };
  },
});

import { localTime, presenter, type Showing } from '../http/jsonapi.ts';
import type { AttachmentRow } from './attachments.ts';
import type { SignatureRow } from './signatures.ts';

interface Attachment {
  id: string;
  type: 'attachment';
  attributes: { author: string; created_at: string; updated_at: string; file_name: string; file_content_type: string; file_url: string };
}
interface Signature {
  id: string;
  type: 'signature';
  attributes: {
    title: string;
    image_file_name: string;
    image_content_type: 'image/png' | 'image/jpeg' | 'image/webp';
    image_url: string;
    created_at: string;
    image_updated_at: string;
  };
}

const attachment = presenter<Attachment>('attachment', ['author', 'created_at', 'updated_at', 'file_name', 'file_content_type', 'file_url']);
const signature = presenter<Signature>('signature', ['title', 'image_file_name', 'image_content_type', 'image_url', 'created_at', 'image_updated_at']);

export const presentAttachment = (row: AttachmentRow, showing: Showing): Attachment =>
  attachment({
    id: row.id,
    attributes: {
      author: row.author,
      created_at: localTime(row.created_at, showing),
      updated_at: localTime(row.updated_at, showing),
      file_name: row.file_name,
      file_content_type: row.file_content_type,
      file_url: showing.links.file(row.account_id, row.file_id),
    },
  });

export const presentSignature = (row: SignatureRow, showing: Showing): Signature =>
  signature({
    id: row.id,
    attributes: {
      title: row.title,
      image_file_name: row.image_file_name,
      image_content_type: row.image_content_type as Signature['attributes']['image_content_type'],
      image_url: showing.links.file(row.account_id, row.file_id),
      created_at: localTime(row.created_at, showing),
      image_updated_at: localTime(row.image_updated_at, showing),
    },
  });

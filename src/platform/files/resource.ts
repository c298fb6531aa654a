import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { localTime, resource, type PresentContext } from '../http/answers/jsonapi.ts';
import type { AttachmentRow } from './attachments.ts';
import type { SignatureRow } from './signatures.ts';

type Signature = components['schemas']['Signature'];

const attachment = resource('attachment', fields.Attachment);
const signature = resource('signature', fields.Signature);

export const presentAttachment = (row: AttachmentRow, context: PresentContext) =>
  attachment({
    id: row.id,
    author: row.author,
    created_at: localTime(row.created_at, context),
    updated_at: localTime(row.updated_at, context),
    file_name: row.file_name,
    file_content_type: row.file_content_type,
    file_url: context.links.file(row.account_id, row.file_id),
  });

export const presentSignature = (row: SignatureRow, context: PresentContext) =>
  signature({
    id: row.id,
    title: row.title,
    image_file_name: row.file_name,
    image_content_type: row.file_content_type as Signature['attributes']['image_content_type'],
    image_url: context.links.file(row.account_id, row.file_id),
    created_at: localTime(row.created_at, context),
    image_updated_at: localTime(row.file_created_at, context),
  });

import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { utcForm } from '../../platform/core/time.ts';
import { resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { expiryOf } from '../../platform/files/made_files.ts';
import type { ExportRow } from './exports.ts';

type Export = components['schemas']['Export'];
type Attributes = Export['attributes'];

const presented = resource('export', fields.Export);

export const presentExport = (row: ExportRow, { links }: Pick<PresentContext, 'links'>) =>
  presented({
    id: row.id,
    user_id: row.user_id,
    export_type: row.export_type as Attributes['export_type'],
    status: row.status as Attributes['status'],
    file_url: row.status === 'success' ? links.file(row.account_id, row.file_id!) : null,
    format: row.format as Attributes['format'],
    message: row.message,
    progress: row.progress,
    expires_at: utcForm(expiryOf(row)),
  });

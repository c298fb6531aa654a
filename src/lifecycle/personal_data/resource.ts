import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { utcForm } from '../../platform/core/time.ts';
import { resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { Anonymised } from './anonymise.ts';
import { expiryOf } from '../../platform/files/made_files.ts';
import type { DataExportRow } from './data_exports.ts';

type DataExport = components['schemas']['DataExport'];

const presentedExport = resource('data_export', fields.DataExport);
const presentedAnonymisation = resource('anonymisation', fields.Anonymisation);

export const presentDataExport = (row: DataExportRow, { links }: Pick<PresentContext, 'links'>) =>
  presentedExport({
    id: row.id,
    user_id: row.user_id,
    requested_by_user_id: row.requested_by_user_id,
    status: row.status as DataExport['attributes']['status'],
    file_url: row.status === 'success' ? links.file(row.account_id, row.file_id!) : null,
    message: row.message,
    progress: row.progress,
    expires_at: utcForm(expiryOf(row)),
  });

export const presentAnonymisation = (done: Anonymised) =>
  presentedAnonymisation({
    id: done.userId,
    user_id: done.userId,
    anonymised_at: utcForm(done.at),
    retention_until: done.retentionUntil && utcForm(done.retentionUntil),
    retention_override: done.isOverridden,
    remaining_mentions: done.remaining,
  });

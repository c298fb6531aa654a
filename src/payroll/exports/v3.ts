import Negotiator from 'negotiator';
import type { Call } from '../../platform/http/contract.ts';
import { v3 } from '../../platform/http/v3.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createExport, findExport } from './exports.ts';
import { namedProblems } from './named_records.ts';
import { coverageOf, type Asked, type Resource } from './request.ts';
import { presentExport } from './resource.ts';
import { languageIn, languages, type Language } from './table.ts';
import { requireFitting } from './types.ts';

export const exportHandlers = v3.part({
  async createTimeTrackingExport(call) {
    return create('time_trackings', call, call.body.data.attributes);
  },

  async getTimeTrackingExport(call) {
    return {
      data: presentExport(await findExport(call.db, call.actor, 'time_trackings', call.params.export_id), call),
    };
  },

  async createAbsenceExport(call) {
    return create('absences', call, call.body.data.attributes);
  },

  async getAbsenceExport(call) {
    return { data: presentExport(await findExport(call.db, call.actor, 'absences', call.params.export_id), call) };
  },
});

type ExportCall = Pick<Call, 'queryOptions' | 'header' | 'links' | 'now'> & {
  readonly db: OpenTransaction;
  readonly actor: WorkspaceActor;
};

async function create(resource: Resource, call: ExportCall, asked: Asked & { export_type: string; format: string }) {
  const { db, actor, queryOptions, now } = call;
  const format = asked.format === 'xls' ? 'xlsx' : asked.format;
  requireFitting({ ...asked, format }, queryOptions.filter, await namedProblems(db, actor, resource, asked, now));
  const wanted = {
    resource,
    exportType: asked.export_type,
    format,
    language: languageOf(call.header('Accept-Language'), actor.workspace.locale),
    coverage: coverageOf(resource, queryOptions.filter, queryOptions.sort, asked),
  };
  return { data: presentExport(await createExport(db, actor, wanted, now), call) };
}

/** The language that the caller prefers, otherwise that of the workspace. */
function languageOf(accepted: string | undefined, locale: string): Language {
  const own = languageIn(locale);
  const offered = [own, ...languages.filter((language) => language !== own)];
  const [preferred = own] = new Negotiator({ headers: { 'accept-language': accepted } }).languages(offered);
  return preferred as Language;
}

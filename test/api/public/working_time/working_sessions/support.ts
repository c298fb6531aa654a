import { expect } from 'vitest';
import type { Response } from 'supertest';
import { newEnterprise, type Enterprise } from '../../../../support/enterprise.ts';

/** An enterprise with a working area and a user, and shortcuts for its working sessions. */
export interface Sessions extends Enterprise {
  readonly areaId: number;
  /** What every new working session of the user needs, in the first location on 2 March 2026 from 8 to 12. */
  readonly basics: Readonly<Record<string, unknown>>;
  post(more?: object): Promise<Response>;
  /** A new working session. */
  made(more?: object): Promise<Record<string, unknown> & { id: number }>;
  put(change: object): Promise<Response>;
  find(query: object): Promise<Response>;
  /** The starts of the working sessions in a range. */
  startsIn(query: object): Promise<string[]>;
}

/** A time of day on 2 March 2026 in Berlin. */
export const at = (time: string, day = '2026-03-02'): string => `${day}T${time}:00+01:00`;

export async function newSessions(): Promise<Sessions> {
  const company = await newEnterprise();
  const { enterprise, workspaceId, employee } = company;
  const areaId = (await company.newArea('Bar', { external_id: 'bar' })).id;
  const basics = {
    location_id: workspaceId,
    working_area_id: areaId,
    user_id: employee.id,
    starts_at: at('08:00'),
    ends_at: at('12:00'),
  };
  const post = (more: object = {}) =>
    enterprise('createWorkingSession', { body: { working_session: { ...basics, ...more } } });
  const find = (query: object) => enterprise('findWorkingSessions', { query: { ...query } });
  return {
    ...company,
    areaId,
    basics,
    post,
    find,
    made: async (more) => {
      const { status, body } = await post(more);
      expect([status, status === 200 ? '' : body]).toEqual([200, '']);
      return body;
    },
    put: (change) => enterprise('updateWorkingSession', { body: { working_session: change } }),
    startsIn: async (query) => {
      const { status, body } = await find(query);
      expect([status, status === 200 ? '' : body]).toEqual([200, '']);
      return body.working_sessions.map(({ starts_at }: { starts_at: string }) => starts_at);
    },
  };
}

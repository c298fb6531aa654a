import { describe, expect, it } from 'vitest';
import { typeOf } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { issueApiKey } from '../../../support/people.ts';
import { bodyOf } from '../../../support/world.ts';

const broken = ['Two\nlines', 'Two\rlines', 'A\tcell', 'Two\u2028lines', 'Rings\u0007', 'Next\u0085line'];
const words = /must not (be blank, and must not )?contain line breaks or other control characters, but was "/;

const password = 'correct horse battery';
const day = { starts_at: '2026-05-05T00:00:00Z', ends_at: '2026-05-05T23:59:59Z' };

describe('names and titles', () => {
  it('400 with line breaks or other control characters, at every door of the resource API', async () => {
    const world = await newEnterprise();
    const { admin } = world;
    const apiKey = await issueApiKey();
    const absence_type_id = await typeOf(world);
    const doors: readonly (readonly [operationId: string, type: string, name: string, others?: object])[] = [
      ['createArea', 'area', 'name'],
      ['createTag', 'tag', 'title'],
      ['createAbsenceType', 'absence_type', 'title', { kind: 'special' }],
      ['createUser', 'user', 'username'],
      ['createWorkspace', 'workspace', 'name'],
      ['updateWorkspace', 'workspace', 'name'],
      ['updateAccount', 'account', 'name'],
      ['createAbsence', 'absence', 'title', { absence_type_id, ...day }],
      ['createWageType', 'wage_type', 'title', { number: 1, source: 'net', unit: 'hours' }],
      ['createWebhook', 'webhook', 'description', { url: 'https://example.com/', events: ['*'] }],
      ['createCalendarFeed', 'calendar_feed', 'name', { scope: 'own' }],
      ['createPublicHoliday', 'public_holiday', 'title', { date: '2026-12-24' }],
      ['createDataProfile', 'data_profile', 'title'],
      ['createUserVacationEntitlement', 'vacation_entitlement', 'title', { starts_at: '2026-01-01', ends_at: '2026-12-31', planned_days: 30 }],
      ['signUp', 'user', 'username', { email: 'one-line@example.com', password }],
      ['joinWorkspace', 'user', 'username', { email: 'one-line@example.com', password, token: 'none' }],
      ['createApiToken', 'api_token', 'name'],
    ]; // prettier-ignore
    const refused = [];
    for (const [operationId, type, name, others = {}] of doors)
      for (const text of broken) {
        const response = await admin.call(operationId, {
          params: { user_id: admin.id },
          headers: { 'Api-Key': apiKey },
          body: bodyOf(type, { ...others, [name]: text }),
        });
        if (response.status !== 400) refused.push([operationId, text, response.status]);
        else expect([operationId, pointersIn(response), titlesIn(response)]).toEqual([operationId, [name], [expect.stringMatching(words)]]); // prettier-ignore
      }
    expect(refused).toEqual([]);
  });

  it('400 in the public API too', async () => {
    const { enterprise, workspaceId } = await newEnterprise();
    const doors: readonly (readonly [operationId: string, key: string, name: string, others?: object])[] = [
      ['createWorkingArea', 'working_area', 'name'],
      ['createLocation', 'location', 'name'],
      ['createFilter', 'filter', 'title'],
      ['createPublicUser', 'user', 'username', { location_ids: String(workspaceId) }],
    ];
    for (const [operationId, key, name, others = {}] of doors)
      for (const text of broken) {
        const body = { location_id: workspaceId, [key]: { ...others, [name]: text } };
        const response = await enterprise(operationId, { body });
        expect([operationId, text, response.status]).toEqual([operationId, text, 400]);
        expect(titlesIn(response).join()).toMatch(words);
      }
  });

  it('200, 201 with letters of all kinds, and an empty title of an absence', async () => {
    const { admin, ...world } = await newEnterprise();
    const name = 'Küche “Łódź” – 東京 🍲';
    expect((await admin.call('createArea', { body: bodyOf('area', { name }) })).body.data.attributes.name).toBe(name);
    const absence = { absence_type_id: await typeOf({ ...world, admin }), title: '', ...day };
    expect((await admin.call('createAbsence', { body: bodyOf('absence', absence) })).status).toBe(200);
  });
});

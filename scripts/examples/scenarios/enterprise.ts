import { demo, type Recorder } from '../recorder.ts';
import { signUpDana } from './signing_in.ts';
import { workingSessions } from './working_sessions.ts';

/** What an HR system does through the public API. */
export async function enterprise(record: Recorder): Promise<void> {
  await record('ping', {});
  await record('getPublicAccount', {});
  const unknown = { query: { external_id: 'nobody' } };
  const oddPage = { query: { page: 0 } };
  const oddId = { query: { id: 'first' } };
  await record('findLocations', { query: {}, one: { external_id: 'harbour' } }, { 400: oddId, 404: unknown });
  await locations(record);
  const inventory = { title: 'Inventory', external_id: 'inventory' };
  await record(
    'createFilter',
    { body: { location_external_id: 'harbour', filter: inventory } },
    { 400: { body: { location_external_id: 'nowhere', filter: { title: '' } } } },
  );
  await record(
    'findFilters',
    { query: { location_external_id: 'harbour' }, one: { external_id: 'event' } },
    { 400: oddId, 404: unknown },
  );
  await record(
    'updateFilter',
    { body: { filter: { external_id: 'event', active: false } } },
    {
      400: { body: { filter: { external_id: 'event', title: '' } } },
      404: { body: { filter: { id: 4711 } } },
    },
  );
  await record(
    'findAbsenceTypes',
    { query: { location_external_id: 'harbour' }, one: { external_id: 'vacation' } },
    { 400: oddId, 404: unknown },
  );
  await record(
    'findPublicUsers',
    { query: { working_area_external_ids: 'kitchen' }, one: { external_id: 'erin' } },
    { 400: oddPage, 404: unknown },
  );
  await users(record);
  await record(
    'findPublicAbsences',
    {
      query: { user_external_id: 'erin', range_start: '2026-05-01', range_end: '2026-05-31' },
      one: { external_id: 'erin-vacation' },
    },
    { 400: oddPage, 404: unknown },
  );
  await absences(record);
  await workingAreas(record);
  await workingSessions(record);
  await vacationEntitlements(record);
  await uploads(record);
  await timeAccount(record);
}

async function locations(record: Recorder): Promise<void> {
  await record(
    'createLocation',
    { body: { location: { name: 'Pier Bar', external_id: 'pier', user_id: 1 } } },
    { 400: { body: { location: { name: 'Pier Bar', user_id: 4711 } } } },
  );
  await record(
    'updateLocation',
    { body: { location: { external_id: 'lighthouse', name: 'Lighthouse Inn' } } },
    {
      400: { body: { location: { external_id: 'lighthouse', name: '' } } },
      404: { body: { location: { id: 4711 } } },
    },
  );
}

async function users(record: Recorder): Promise<void> {
  const jo = {
    username: 'Jo Waiter',
    email: 'jo@example.com',
    abbrev: 'JW',
    salary: 18.5,
    staff_number: '1007',
    external_id: 'hr-1007',
    locale: 'de' as const,
  };
  const guarded = await record.server.startVariant({ settings: { ADDRESS_REFUSALS_PER_HOUR: '1' } });
  const taken = { email: 'dana@example.com', username: 'Dana Miller', location_ids: 1 };
  const refused = (names: object) => ({ at: guarded, body: { user: { ...taken, ...names } }, times: 2 });
  await signUpDana(record);
  await record(
    'createPublicUser',
    {
      body: {
        user: {
          ...jo,
          location_ids: 1,
          working_area_external_ids: 'service',
          data_profiles: { phone: '+49 40 765432', start_of_work: '2026-06-01', cost_center: '4200' },
        },
      },
    },
    {
      400: { body: { user: { ...jo, email: 'jo', external_id: 'erin', location_ids: 4711 } } },
      429: refused({}),
    },
  );
  const named = (external_id: string) => ({ user: { external_id } });
  const slips = { 400: { body: { user: {} } }, 404: { body: { ...named('nobody') } } };
  await signUpDana(record);
  await record(
    'updatePublicUser',
    {
      body: {
        user: {
          external_id: 'sam',
          salary: 21.5,
          home_office: true,
          working_area_external_ids: 'kitchen,service',
        },
      },
    },
    {
      400: { body: { user: { external_id: 'sam', salary: 'plenty' } } },
      404: slips[404],
      429: refused({ external_id: 'sam' }),
    },
  );
  await record('deactivatePublicUser', { body: named('sam') }, slips);
  await record('activatePublicUser', { body: named('lee') }, slips);
  await record('deletePublicUser', { body: named('lee') }, slips);
}

async function absences(record: Recorder): Promise<void> {
  const week = { starts_at: '2026-08-03', ends_at: '2026-08-07', full_day: true };
  const wish = { absence_type_external_id: 'vacation', user_external_id: 'sam', ...week, external_id: 'leave-7' };
  await record(
    'createPublicAbsence',
    { body: { absence: wish } },
    { 400: { body: { absence: { ...wish, user_external_id: 'nobody' } } } },
  );
  const named = (external_id: string) => ({ absence: { external_id } });
  const slips = { 400: { body: { absence: {} } }, 404: { body: { ...named('leave-8') } } };
  await record(
    'updatePublicAbsence',
    { body: { absence: { external_id: 'robin-moves', starts_at: '2026-06-09', ends_at: '2026-06-10' } } },
    {
      400: { body: { absence: { ...week, external_id: 'robin-moves', starts_at: 'Monday' } } },
      404: { body: { absence: { ...week, external_id: 'leave-8' } } },
    },
  );
  await record('confirmPublicAbsence', { body: named('robin-moves') }, slips);
  await record('rejectPublicAbsence', { body: named('robin-moves') }, slips);
  await record('resetPublicAbsence', { body: named('erin-vacation') }, slips);
  await record('deletePublicAbsence', { body: named('robin-moves') }, slips);
}

async function workingAreas(record: Recorder): Promise<void> {
  const location = { location_external_id: 'harbour' };
  await record(
    'findWorkingAreas',
    { query: location, one: { external_id: 'kitchen' } },
    {
      400: { query: { location_id: 'first' } },
      404: { query: { ...location, external_id: 'nothing' } },
    },
  );
  await record(
    'createWorkingArea',
    { body: { ...location, working_area: { name: 'Cellar', color: '#795548', external_id: 'cellar' } } },
    { 400: { body: { ...location, working_area: { name: 'Kitchen', color: 'green' } } } },
  );
  const unknown = {
    404: { body: { ...location, working_area: { external_id: 'nothing', name: 'Sun terrace' } } },
  };
  await record(
    'updateWorkingArea',
    { body: { ...location, working_area: { external_id: 'terrace', name: 'Sun terrace' } } },
    {
      ...unknown,
      400: { body: { ...location, working_area: { external_id: 'terrace', name: 'Kitchen' } } },
    },
  );
  await record(
    'deleteWorkingArea',
    { body: { ...location, working_area: { external_id: 'terrace' } } },
    { ...unknown, 400: { body: { ...location, working_area: {} } } },
  );
}

async function vacationEntitlements(record: Recorder): Promise<void> {
  const nobody = { query: { user_external_id: 'nobody' } };
  await record(
    'listVacationEntitlements',
    { query: { user_external_id: 'erin' } },
    { 400: { query: {} }, 404: nobody },
  );
  const days = {
    starts_at: '2027-01-01',
    ends_at: '2027-12-31',
    planned_days: 30,
    expires: true,
    transfer_remaining: true,
    end_of_transfer_period: '2028-03-31',
  };
  await record(
    'createVacationEntitlement',
    { body: { vacation_times: { title: 'Vacation 2027', user_external_id: 'sam', ...days } } },
    {
      400: {
        body: {
          vacation_times: { title: 'Vacation 2027', user_external_id: 'sam', ...days, ends_at: '2026-12-31' },
        },
      },
    },
  );
  const id = Number(demo.carriedVacation);
  const unknown = { 404: { body: { vacation_times: { id: 4711 } } } };
  await record(
    'updateVacationEntitlement',
    { body: { vacation_times: { id, planned_days: 32 } } },
    { ...unknown, 400: { body: { vacation_times: { id, end_of_transfer_period: '' } } } },
  );
  await record(
    'deleteVacationEntitlement',
    { body: { vacation_times: { id } } },
    { ...unknown, 400: { body: { vacation_times: {} } } },
  );
}

async function uploads(record: Recorder): Promise<void> {
  const nobody = { query: { user_external_id: 'nobody' } };
  await record('listUploads', { query: { user_external_id: 'erin' } }, { 400: { query: {} }, 404: nobody });
  const doc = { name: 'contract.txt', bytes: Buffer.from('Employment contract\n') };
  const form = { user_external_id: 'sam', title: 'Employment contract', description: 'Signed by both.' };
  await record('createUpload', { form: { ...form, doc } }, { 400: { form: { ...form } } });
  await record('getUpload', { path: { id: '1' } }, { 400: { query: { user_id: 'first' } } });
}

async function timeAccount(record: Recorder): Promise<void> {
  const ofNobody = { query: { user_external_id: 'nobody', range_start: '2026-05-01' } };
  const ofErin = { user_external_id: 'erin' };
  await record(
    'listPublicTargetHours',
    { query: { ...ofErin, start_date: '2026-05-01' } },
    { 400: { query: { ...ofErin, start_date: 'May' } }, 404: ofNobody },
  );
  await record(
    'findEvaluations',
    {
      query: { ...ofErin, range_start: '2026-04-30', range_end: '2026-05-01' },
      // Erin Employee has the id 2, and 4 May 2026 is 20,577 days after 1970-01-01.
      one: { id: 220577 },
    },
    { 400: { query: { ...ofErin } }, 404: ofNobody },
  );
  await record('listPayrolls', { query: { user_external_id: 'noor' } }, { 400: { query: {} }, 404: ofNobody });
}

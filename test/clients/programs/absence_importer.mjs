import { callerOf } from './service.mjs';

/*
 * Imports absences that the service does not have yet. It asks what is there with JSON in the body of GET, and nothing in the
 * address. It prints how many absences it has created, and what is there afterwards.
 * Usage: node absence_importer.mjs SERVICE TOKEN
 */
const [, , service, token] = process.argv;
const call = callerOf(service, token);

async function ask(method, path, body) {
  const { status, body: answer } = await call(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path}: ${answer.response}`);
  return answer;
}

const range = { range_start: '2031-10-01', range_end: '2031-10-31' };
const read = async () => (await ask('GET', 'absences', range)).absences;

const { absence_types: types } = await ask('GET', 'absence_types', {});
const user = await ask('GET', 'users', { external_id: 'erin' });
const known = new Set((await read()).map(({ external_id }) => external_id));
const wanted = ['06', '13', '20'].map((day) => ({
  external_id: `hr-${day}`,
  user_id: String(user.id),
  absence_type_id: String(types[0].id),
  starts_at: `2031-10-${day}T00:00:00+02:00`,
  ends_at: `2031-10-${day}T24:00:00+02:00`,
  full_day: 'true',
}));
const missing = wanted.filter(({ external_id }) => !known.has(external_id));
for (const absence of missing) await ask('POST', 'absences', { absence });

const found = (await read()).map(({ external_id }) => external_id).filter((name) => name?.startsWith('hr-'));
console.log(JSON.stringify({ created: missing.length, found }));

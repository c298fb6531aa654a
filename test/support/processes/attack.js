/*
 * Requests as much work as one account can, without a pause, until it is killed. It is a separate program, so that it takes no
 * time from the process that measures.
 */

const [url, token, workspaceId] = process.argv.slice(2);
const slowLists = 12;
const uploads = 2;
const batches = 3;
const notesPerAbsence = 100;

const headers = { Authorization: `Bearer ${token}` };
const json = { ...headers, 'Content-Type': 'application/json' };

/**
 * The answer to a request.
 * @param {string} method
 * @param {string} address
 * @param {RequestInit} options
 */
async function ask(method, address, options = { headers }) {
  const response = await fetch(`${url}/api/v3/workspaces/${workspaceId}${address}`, { method, ...options });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * @param {string} address
 * @returns {Promise<string[]>}
 */
const idsAt = async (address) =>
  (await ask('GET', address)).data.map((/** @type {{ id: string }} */ record) => record.id);

/**
 * The same absence for everybody, with many notes.
 * @param {string[]} userIds
 */
async function startBatch(userIds) {
  const [absence_type_id] = await idsAt('/absence_types?items=1');
  const attributes = {
    action: 'create',
    user_ids: userIds,
    absence_type_id,
    starts_at: '2026-07-06T00:00:00Z',
    ends_at: '2026-07-07T00:00:00Z',
    notes_attributes: Array.from({ length: notesPerAbsence }, () => ({ content: 'x'.repeat(100) })),
  };
  const body = JSON.stringify({ data: { type: 'batch_action', attributes } });
  await ask('POST', '/absences/batch_actions', { headers: json, body });
}

/** The slowest lists that are allowed: those that count for thousands of rows, or compare or sort many rows by a computed value. */
const recent = 'filter[starts_at]=gte:2026-02-01';
const halfYear = 'filter[starts_at]=gte:2025-09-15';
const lists = [
  `/time_trackings?items=1&sort=-user_notes_count&${recent}`,
  `/time_trackings?items=1&sort=system_notes_count&${recent}`,
  `/time_trackings?items=1&filter[attachments_count]=lt:9&sort=signatures_count&${recent}`,
  `/time_trackings?items=1&sort=-net_time&${halfYear}`,
  '/time_trackings?items=1&filter[net_time]=gt:9',
];

const file = new Blob([Buffer.alloc(5 * 2 ** 20, 7)]);

/** @param {string} timeTrackingId */
async function upload(timeTrackingId) {
  const body = new FormData();
  body.append('files', file, 'large.bin');
  await ask('POST', `/time_trackings/${timeTrackingId}/attachments`, { headers, body });
}

/** @param {() => Promise<void>} work */
async function forever(work) {
  for (;;) await work();
}

const userIds = [...(await idsAt('/users?items=100')), ...(await idsAt('/users?items=100&page=2'))];
const [timeTrackingId = ''] = await idsAt('/time_trackings?items=1');
for (let batch = 0; batch < batches; batch++) await startBatch(userIds);
process.stdout.write('attacking\n');
await Promise.all([
  ...Array.from({ length: slowLists }, (_, turn) => forever(() => ask('GET', lists[turn % lists.length] ?? ''))),
  ...Array.from({ length: uploads }, () => forever(() => upload(timeTrackingId))),
]);

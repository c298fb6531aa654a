import { randomUUID } from 'node:crypto';

/*
 * Users who punch without a pause and record every acknowledged punch. They send a punch without a response again under its
 * idempotency key, and it must count once. Users without keys look up whether it was stored.
 */

export interface Puncher {
  readonly token: string;
  readonly workspaceId: string;
  /** The filter for the user's records, as part of a query. */
  readonly filter: string;
  /** The ids of all actions that were acknowledged or found. */
  readonly acknowledged: string[];
  /** Answers that were neither a success nor 503. */
  readonly faults: string[];
  /** Answers with 503. */
  refusals: number;
  /** Punches until `isOver` or until the server cannot be reached. */
  punch(url: string, isOver: () => boolean): Promise<void>;
}

const minute = 60_000;

/** Signs up a user with an account of their own. */
export const newPuncher = async (url: string): Promise<Puncher> => puncherFor(await signUp(url));

/** Creates colleagues for whom an admin punches without keys. */
export async function newCrew(url: string, size: number): Promise<Puncher[]> {
  const admin = await signUp(url);
  const crew: Puncher[] = [];
  for (let number = 1; number <= size; number++) {
    const colleague = { data: { type: 'user', attributes: { username: `Colleague ${number}` } } };
    const { body } = await send(url, 'POST', `/workspaces/${admin.workspaceId}/users`, admin.token, colleague);
    crew.push(puncherFor({ ...admin, userId: (body as { data: { id: string } }).data.id }));
  }
  return crew;
}

async function signUp(url: string): Promise<{ token: string; workspaceId: string }> {
  const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery', username: 'Robin' };
  const signedUp = await send(url, 'POST', '/sign_up', undefined, { data: { type: 'user', attributes: person } });
  const token = (signedUp.body as { data: { attributes: { access_token: string } } }).data.attributes.access_token;
  const me = (await send(url, 'GET', '/users/me', token)).body as {
    data: { relationships: { workspaces: { data: { id: string }[] } } };
  };
  return { token, workspaceId: me.data.relationships.workspaces.data[0]!.id };
}

/** `userId` is set if an admin punches for the user. */
function puncherFor({ token, workspaceId, userId }: { token: string; workspaceId: string; userId?: string }): Puncher {
  const actions = `/workspaces/${workspaceId}/time_trackings/actions`;
  const filter = userId === undefined ? '' : `&filter[user_id]=${userId}`;
  const acknowledged: string[] = [];
  const faults: string[] = [];
  const firstPunch = Date.now() - 200 * 24 * 60 * minute;
  let key = randomUUID();

  function sendNext(at: string) {
    const step = acknowledged.length;
    const attributes = {
      action_type: ['start', 'start-break', 'end-break', 'end'][step % 4],
      action_time: new Date(firstPunch + step * minute).toISOString(),
      ...(userId === undefined ? {} : { user_id: userId }),
    };
    return send(
      at,
      'POST',
      actions,
      token,
      { data: { type: 'action', attributes } },
      userId === undefined ? key : undefined,
    );
  }

  /** Looks up a punch without an answer, and sends it again if it was not stored. */
  async function lookUp(at: string): Promise<{ status: number; retryAfter: string | null; body: unknown }> {
    const answer = await send(at, 'GET', `${actions}?items=1&sort=-action_time${filter}`, token);
    if (answer.status !== 200) return answer;
    const { data, meta } = answer.body as Page;
    return meta.total_count === acknowledged.length + 1
      ? { ...answer, status: 201, body: { data: data[0] } }
      : sendNext(at);
  }

  const puncher: Puncher = {
    token,
    workspaceId,
    filter,
    acknowledged,
    faults,
    refusals: 0,
    async punch(at, isOver) {
      let isInDoubt = userId !== undefined;
      while (!isOver()) {
        const answer = await (isInDoubt ? lookUp(at) : sendNext(at)).catch(() => undefined);
        if (answer === undefined) return;
        isInDoubt = userId !== undefined && answer.status !== 201;
        if (answer.status === 201) {
          acknowledged.push((answer.body as { data: { id: string } }).data.id);
          key = randomUUID();
        } else if (answer.status === 503 && answer.retryAfter !== null) {
          puncher.refusals++;
          await new Promise((resolve) => setTimeout(resolve, 50));
        } else {
          faults.push(`${answer.status} ${JSON.stringify(answer.body)}`);
          return;
        }
      }
    },
  };
  return puncher;
}

/** Lists lost, duplicated and incomplete punches of a user. */
export async function punchMistakes(
  { token, workspaceId, filter, acknowledged, faults }: Puncher,
  url: string,
  since: number,
): Promise<string[]> {
  const list = async (what: string) =>
    (await send(url, 'GET', `/workspaces/${workspaceId}/${what}${filter}`, token)).body as Page;
  const mistakes = [...faults];
  const ids = new Set<string>();
  const pages = Math.max(1, Math.ceil((acknowledged.length - since) / 100));
  for (let page = 1; page <= pages; page++) {
    const { data, meta } = await list(`time_trackings/actions?items=100&sort=-action_time&page=${page}`);
    for (const { id } of data) ids.add(id);
    if (page === 1 && meta.total_count !== acknowledged.length)
      mistakes.push(`${acknowledged.length} punches acknowledged, ${meta.total_count} there`);
  }
  const lost = acknowledged.slice(since).filter((id) => !ids.has(id));
  if (lost.length > 0) mistakes.push(`lost: ${lost.slice(0, 3).join(', ')}`);
  const trackings = (await list('time_trackings?items=1')).meta.total_count;
  if (trackings !== Math.ceil(acknowledged.length / 4))
    mistakes.push(`${acknowledged.length} punches made ${trackings} time trackings`);
  return mistakes;
}

interface Page {
  data: { id: string }[];
  meta: { total_count: number };
}

/** Sends one request of the resource API; throws if there is no answer within 20 seconds. */
export async function send(url: string, method: string, address: string, token?: string, body?: object, key?: string) {
  const response = await fetch(`${url}/api/v3${address}`, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'Idempotency-Key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (text === '' ? null : JSON.parse(text)) as unknown,
  };
}

import { writingReads } from '../../generated/keyed_operations.ts';

/** When to send a request again, and how long to wait for an answer. */
export interface Patience {
  /** How often to send a request again. 0 sends each request once. */
  readonly retries?: number;
  /** How long one attempt may take, with its body, in milliseconds. The change feed needs more than 30,000. */
  readonly timeoutMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

const defaults = { retries: 3, timeoutMs: 60_000 };

const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** The service has not carried out the request. */
const tooMany = 429;
/** Nobody knows whether the service has carried out the request. With 503, its database may have been lost at the last moment. */
const unclear = new Set([408, 502, 503, 504]);

/**
 * A `fetch` that sends a request again if the service is busy or cannot be reached. A request whose fate is unclear is repeated only
 * if that does no harm: if it reads, replaces or deletes, or has an Idempotency-Key.
 */
export function patientFetch(
  send: Fetch,
  { retries = defaults.retries, timeoutMs = defaults.timeoutMs }: Patience,
  pause = pauseFor,
): Fetch {
  return async (request) => {
    const isRepeatable = isHarmlessTwice(request) || request.headers.has('Idempotency-Key');
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      let pauseMs = backoffMs(attempt);
      try {
        const response = await send(withTimeout(isLast ? request : request.clone(), timeoutMs));
        const mayRepeat = response.status === tooMany || (isRepeatable && unclear.has(response.status));
        pauseMs = retryAfterMs(response) ?? pauseMs;
        if (isLast || !mayRepeat || pauseMs > longestPauseMs) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || !isRepeatable || request.signal.aborted) throw error;
      }
      await pause(pauseMs, request.signal);
    }
  };
}

/** Whether a request does the same if it is carried out twice. A read that writes, such as `switchRole`, does not. */
const isHarmlessTwice = ({ method, url }: Request): boolean =>
  /^(HEAD|PUT|DELETE)$/.test(method) || (method === 'GET' && !writingPath.test(new URL(url).pathname));
const writingPath = new RegExp(`(${writingReads.map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+')).join('|')})$`);

/** Twice as long after each attempt, and different for each client, so that not all come back at the same moment. */
const backoffMs = (attempt: number): number => firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2);

/** `Retry-After` has seconds or a date. */
function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** The same request, which also ends after a time. */
function withTimeout(request: Request, timeoutMs: number): Request {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(new DOMException(`The service did not answer within ${timeoutMs} ms.`, 'TimeoutError'));
  }, timeoutMs) as unknown as { unref?: () => void };
  // Node would otherwise wait for it before a program ends.
  timer.unref?.();
  const { signal } = request;
  if (signal.aborted) ending.abort(signal.reason);
  else signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
  return new Request(request, { signal: ending.signal });
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });

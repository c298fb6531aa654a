import { demoCredentials } from '../../src/programs/demo/credentials.ts';
import type { Request, Route, SentFile } from './recorder.ts';

export interface Answer {
  readonly status: number;
  /** Undefined where there is none. */
  readonly body: unknown;
}

/** A request that is ready to be sent. */
export interface Sending extends Request {
  readonly url: string;
  readonly route: Route;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type Send = (sending: Sending) => Promise<Answer>;

export const sendByFetch: Send = async ({ url, route, token, headers, path, query, body, form }) => {
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''));
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const needsApiKey = route.operation.security?.some((scheme) => 'apiKey' in scheme);
  const response = await fetch(`${url}${route.base}${address}${parameters.size > 0 ? `?${parameters}` : ''}`, {
    method: route.method.toUpperCase(),
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(needsApiKey && token === undefined ? { 'Api-Key': demoCredentials.apiKey } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(form ? { body: formOf(form) } : body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
};

function formOf(form: NonNullable<Request['form']>): FormData {
  const data = new FormData();
  const append = (name: string, value: string | SentFile): void =>
    typeof value === 'string'
      ? data.append(name, value)
      : data.append(name, new Blob([new Uint8Array(value.bytes)]), value.name);
  for (const [name, value] of Object.entries(form))
    for (const one of [value].flat() as (string | SentFile)[]) append(name, one);
  return data;
}

/** A request as the reference shows it. A file in a form is shown by its name. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/** The request and the responses of an operation in a run on the demo organisation. */
export interface Example {
  readonly request: ExampleRequest;
  /** Missing where the response has no body. */
  readonly response?: unknown;
  /** In place of `response`, where an operation returns a list, or one record if the request names it. */
  readonly responses?: { readonly list: NamedExample; readonly one: NamedExample };
  /** The names of the events that it recorded. Missing where there are none. */
  readonly events?: readonly string[];
  /** The error bodies, by status. */
  readonly errors: Readonly<Record<string, unknown>>;
}

/** What the examples show in place of secrets that the service mails: the token of an invitation or a new address, and of a reset. */
export const mailedSecrets = {
  invitation: 'b25seSBhbiBleGFtcGxlIG9mIGFuIGludml0ZSB0b2s',
  reset: 'b25seSBhbiBleGFtcGxlIG9mIGEgcmVzZXQgdG9rZW4',
} as const;

/** Whether a request works only with a secret from a mail, so that the service refuses it as it is printed. */
export const needsMail = (request: ExampleRequest): boolean =>
  Object.values(mailedSecrets).some((secret) => JSON.stringify(request).includes(secret));

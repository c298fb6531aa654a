/** A request as the reference shows it. Of a file in a form, it shows the name. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/** What is known about an operation from a run on the demo organisation. */
export interface Example {
  readonly request: ExampleRequest;
  /** Nothing where the answer has no body. */
  readonly response?: unknown;
  /** Instead of it, where naming a record gives that one and not a list. */
  readonly responses?: { readonly list: NamedExample; readonly one: NamedExample };
  /** The refusals, by status. */
  readonly errors: Readonly<Record<string, unknown>>;
}

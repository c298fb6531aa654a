import type { Client, FetchOptions, ParamsOption, ParseAsResponse } from 'openapi-fetch';

/*
 * The types of a client. Those of openapi-fetch look through every body for markers of members that are only read or only written.
 * These contracts have none, and to look for them took half of the time of compiling a small program.
 */

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, M extends Method> =
  Paths[Path] extends Record<M, infer Operation> ? Operation : never;

type ContentOf<Part> = Part extends { content: infer Content } ? Content[keyof Content] : undefined;

type BodyOption<Operation> = Operation extends { requestBody: infer Body }
  ? { body: ContentOf<Body> }
  : 'requestBody' extends keyof Operation
    ? { body?: ContentOf<NonNullable<Operation['requestBody']>> }
    : { body?: never };

type Settings = Omit<FetchOptions<unknown>, 'params' | 'body'>;

type OptionsOf<Operation> = ParamsOption<Operation> & BodyOption<Operation> & Settings;

type ArgumentsOf<Operation, Options = OptionsOf<Operation>> =
  object extends OptionsOf<Operation> ? [options?: Options] : [options: Options];

type SuccessStatus = 200 | 201 | 204;

type SuccessOf<Operation> = Operation extends { responses: infer Responses }
  ? ContentOf<Responses[keyof Responses & SuccessStatus]>
  : never;

type AnswerOf<Operation, Options> = Operation extends { responses: infer Responses }
  ? | {
        data: ParseAsResponse<SuccessOf<Operation>, Options>;
        error?: never;
        response: Response;
      }
    | { data?: never; error: ContentOf<Responses[Exclude<keyof Responses, SuccessStatus>]>; response: Response }
  : never;

type Call<Paths, M extends Method> = <
  Path extends PathsWith<Paths, M>,
  Options extends OptionsOf<OperationAt<Paths, Path, M>>,
>(
  path: Path,
  ...options: ArgumentsOf<OperationAt<Paths, Path, M>, Options>
) => Promise<AnswerOf<OperationAt<Paths, Path, M>, Options>>;

/** The paths that have GET, what it takes after the path, and the body with which it answers. */
export type GetPath<Paths> = PathsWith<Paths, 'get'>;
export type GetArguments<Paths, Path extends keyof Paths> = ArgumentsOf<OperationAt<Paths, Path, 'get'>>;
export type GetBody<Paths, Path extends keyof Paths> = SuccessOf<OperationAt<Paths, Path, 'get'>>;

/** The methods of an API. Each takes a path that has it. */
export interface ApiClient<Paths> extends Pick<Client<never>, 'use' | 'eject'> {
  GET: Call<Paths, 'get'>;
  POST: Call<Paths, 'post'>;
  PUT: Call<Paths, 'put'>;
  PATCH: Call<Paths, 'patch'>;
  DELETE: Call<Paths, 'delete'>;
}

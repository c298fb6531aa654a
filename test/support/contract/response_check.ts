import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operationsOf, readContract, resolver, type Contract } from '../../../src/platform/http/contract_document.ts';
import { withPartialRecords } from './partial_records.ts';
import type { RawResponse } from './raw_http.ts';

/*
 * Checks every answer against the contract, independently of the server's validator: the contract must describe its status,
 * headers, media type and body.
 */

interface ResponseDescription {
  $ref?: string;
  content?: Record<string, unknown>;
  headers?: Record<string, { required?: boolean; $ref?: string }>;
}

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../openapi/guides/headers.md'), 'utf8');

/** The headers of every response, as the guide lists them. Operations do not repeat them. */
export const commonHeaders = new Set(
  [...guide.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) => names!.replaceAll('`', '').toLowerCase().split(', ')),
);

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

function checkerOf(contract: Contract) {
  const wholeRecords = validators(() => contract);
  const partialRecords = validators(() => withPartialRecords(contract));
  const resolve = resolver(contract);
  const pointers = new Map(
    operationsOf(contract).map(({ method, path, operation }) => [
      operation.operationId,
      `#/paths/${escaped(path)}/${method}`,
    ]),
  );
  return (operationId: string, response: RawResponse, hasFields: boolean): void => {
    const pointer = pointers.get(operationId);
    if (!pointer) throw new Error(`The contract has no operation ${operationId}.`);
    const described = (resolve(pointer) as { responses: Record<string, ResponseDescription> }).responses;
    const status = described[response.status]
      ? String(response.status)
      : response.status >= 400 && described['default']
        ? 'default'
        : undefined;
    if (!status)
      throw new Error(
        `${operationId} answered ${response.status}, which the contract does not describe: ${response.text}`,
      );
    const place = described[status]!.$ref ?? `${pointer}/responses/${status}`;
    const description = resolve(place) as ResponseDescription;
    for (const [name, header] of Object.entries(description.headers ?? {})) {
      const { required } = header.$ref ? (resolve(header.$ref) as { required?: boolean }) : header;
      if (required && response.headers[name.toLowerCase()] === undefined)
        throw new Error(`${operationId} ${status}: the header ${name} is missing.`);
    }
    const declared = new Set(Object.keys(description.headers ?? {}).map((name) => name.toLowerCase()));
    const undeclared = Object.keys(response.headers).filter((name) => !declared.has(name) && !commonHeaders.has(name));
    if (undeclared.length > 0)
      throw new Error(`${operationId} ${status}: the contract does not have the headers ${undeclared.join(', ')}.`);
    if (!description.content) {
      if (response.text) throw new Error(`${operationId} ${status} must have no body, but had ${response.text}`);
      return;
    }
    if (!description.content[response.type])
      throw new Error(`${operationId} ${status}: the media type ${response.type} is not described.`);
    const schema = `${place}/content/${escaped(response.type)}/schema`;
    const validate = (hasFields ? partialRecords : wholeRecords)(schema);
    if (!validate(response.body)) {
      const problems = validate
        .errors!.slice(0, 5)
        .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
      throw new Error(
        `${operationId} ${status} does not fit the contract:\n${problems.join('\n')}\n${JSON.stringify(response.body).slice(0, 2000)}`,
      );
    }
  };
}

/** The validators of a contract, which is read when the first of them is needed. */
function validators(contract: () => object): (pointer: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    ajv ??= ajvOf(contract());
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
}

function ajvOf(contract: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.addSchema(contract, 'contract');
}

const checkers = { v3: checkerOf(readContract('v3')), public: checkerOf(readContract('public')) };

/** Throws unless the contract describes this answer. What `fields` leaves out of it may be missing. */
export function checkResponse(
  api: 'v3' | 'public',
  operationId: string,
  response: RawResponse,
  hasFields: boolean,
): void {
  checkers[api](operationId, response, hasFields);
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remember } from '../../src/platform/core/remember.ts';
import type { ContractOperation } from '../../src/platform/http/contract_document.ts';
import type { Api } from './links.ts';
import { readExamples } from './publish.ts';
import { callersOf } from './roles.ts';

/*
 * What the reference says about every operation beside its description: who may call it, what its badges mean, where to try it, and
 * the workflows and events that it belongs to.
 */

const workflowFolder = path.resolve(import.meta.dirname, '../../openapi/workflows');

/** The operations that each workflow calls. */
const workflows = remember({ limit: 10, keyOf: () => 'all' }, () =>
  readdirSync(workflowFolder).map((file) => {
    const text = readFileSync(path.join(workflowFolder, file), 'utf8');
    const called = [...text.matchAll(/^ +operationId: .*\.(\w+)$/gm)].map(([, operationId]) => operationId!);
    return { name: path.basename(file, '.yaml'), called: new Set(called) };
  }),
);

const examples = remember({ limit: 10, keyOf: () => 'all' }, readExamples);

/** The place of an operation in the console, where its form has the values of its samples. */
export const consoleAddress = (api: Api, { operationId, tags }: ContractOperation): string =>
  `/docs/try/${api}#/${encodeURIComponent(tags![0]!)}/${operationId}`;

/** Paragraphs in Markdown. */
export function notesOn(api: Api, operation: ContractOperation): string[] {
  const { operationId } = operation;
  const callers = workflows().filter(({ called }) => called.has(operationId));
  const events = examples()[api][operationId]?.events ?? [];
  return [
    `**Who may call it.** ${callersOf(api, operation)}`,
    ...(operation['x-extension']
      ? ['**Extension.** The original API does not have this operation. It works like all others.']
      : []),
    ...(operation.deprecated ? [deprecation(operation)] : []),
    ...(callers.length > 0 ? [`**Workflows.** It is a step of ${callers.map(workflowLink).join(', ')}.`] : []),
    ...(events.length > 0 ? [`**Events.** It can record ${events.map((name) => `\`${name}\``).join(', ')}.`] : []),
    `[Try it in the console](${consoleAddress(api, operation)}), with the values of the samples.`,
  ];
}

const workflowLink = ({ name }: { readonly name: string }): string => `[${name}](/openapi/workflows/${name}.yaml)`;

const deprecation = ({ 'x-sunset': sunset }: ContractOperation): string =>
  `**Deprecated.** It works as before${sunset ? ` until ${sunset}` : ''}. The guide _Upcoming changes_ names what to use instead.`;

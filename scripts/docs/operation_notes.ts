import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remember } from '../../src/platform/core/remember.ts';
import type { Api, ContractOperation } from '../../src/platform/http/contract_document.ts';
import { needsMail } from './examples.ts';
import { readExamples } from './publish.ts';
import { callersOf } from './roles.ts';

/*
 * What the reference says about every operation beside its description: who may call it, what its badges mean, the workflows and
 * events that it belongs to, and where to try it.
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

/** Paragraphs in Markdown. */
export function notesOn(api: Api, operation: ContractOperation): string[] {
  const { operationId } = operation;
  const callers = workflows().filter(({ called }) => called.has(operationId));
  const events = readExamples()[api][operationId]?.events ?? [];
  return [
    `**Who may call it.** ${callersOf(api, operation)}`,
    ...(operation['x-extension']
      ? ['**Extension.** The original API does not have this operation. It works like all others.']
      : []),
    ...(operation.deprecated ? [deprecation(operation)] : []),
    ...(callers.length > 0 ? [`**Workflows.** It is a step of ${callers.map(workflowLink).join(', ')}.`] : []),
    ...(events.length > 0 ? [`**Events.** It can record ${events.map((name) => `\`${name}\``).join(', ')}.`] : []),
  ];
}

/** What stands before the samples of an operation: why they do not run as they are, if so, and where to try them. */
export const notesOnSamples = (api: Api, { operationId, tags }: ContractOperation): string[] => [
  ...(needsMail(readExamples()[api][operationId]!.request)
    ? [
        '**Needs a mail.** The token in the samples stands for one that the service mails. It is refused as it is printed: put in the one from your mail.',
      ]
    : []),
  `[Open the sample in the console](/docs/try/${api}#/${encodeURIComponent(tags![0]!)}/${operationId}) to send it from here.`,
];

const workflowLink = ({ name }: { readonly name: string }): string => `[${name}](/openapi/workflows/${name}.yaml)`;

const deprecation = ({ 'x-sunset': sunset }: ContractOperation): string =>
  `**Deprecated.** It works as before${sunset ? ` until ${sunset}` : ''}. The guide _Upcoming changes_ names what to use instead.`;

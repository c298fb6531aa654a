import { operationsOf, type Contract } from '../../src/platform/http/contract_document.ts';

/** Says in the description of an update what its mark `x-read-only` names: what its response shows and it does not change. */
export function addReadOnly(contract: Contract): Contract {
  for (const { operation } of operationsOf(contract)) {
    const { 'x-read-only': readOnly } = operation;
    if (readOnly === undefined) continue;
    const described = operation as { description?: string };
    described.description = `${described.description?.trimEnd() ?? ''}\n\n${sentenceOf(readOnly)}\n`;
  }
  return contract;
}

/** The most names that are told one by one. */
const mostNames = 8;

function sentenceOf(readOnly: readonly string[] | true): string {
  if (readOnly === true) return 'Every other attribute and relationship is read-only here, and ignored where sent.';
  if (readOnly.length > mostNames)
    return 'What the response shows and the request body does not list is read-only here, and ignored where sent.';
  const names = readOnly.map((name) => (/relationships$/.test(name) ? `the ${name}` : `\`${name}\``));
  const last = names.pop()!;
  return `Read-only here, and ignored where sent: ${names.length > 0 ? `${names.join(', ')} and ` : ''}${last}.`;
}

import { operationsOf, type Contract, type ContractOperation } from '../../src/platform/http/contract_document.ts';
import { guidesOf } from './guides.ts';
import { publishedContract } from './publish.ts';
import { callersOf } from './roles.ts';

type Shown = ContractOperation & { description?: string; 'x-badges'?: object[] };

/** The published contract as the viewer shows it best. Only the page is made from it. */
export function pageContract(api: 'v3' | 'public'): Contract {
  const contract = structuredClone(publishedContract(api));
  for (const { operation } of operationsOf(contract)) {
    const shown = operation as Shown;
    shown.description = `${shown.description?.trim() ?? ''}\n\n**Who may call it.** ${callersOf(api, operation)}`;
    if (operation['x-extension']) shown['x-badges'] = [{ name: 'Extension' }];
    if (operation.requestBody) Object.assign(operation.requestBody, { content: jsonFirst(operation.requestBody) });
  }
  const guides = new Map(guidesOf(contract).map(({ name, text }) => [name, text]));
  for (const tag of (contract as unknown as { tags: { name: string; description: string }[] }).tags)
    tag.description = guides.get(tag.name) ?? tag.description;
  return contract;
}

/** The viewer names the first type beside the samples, which send application/json. */
const jsonFirst = ({ content }: NonNullable<ContractOperation['requestBody']>): object => {
  const { 'application/json': json, ...others } = content ?? {};
  return json ? { 'application/json': json, ...others } : content;
};

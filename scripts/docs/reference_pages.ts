import { remember } from '../../src/platform/core/remember.ts';
import { messagesOf, operationsOf, type Contract } from '../../src/platform/http/contract_document.ts';
import { guidesOf } from './guides.ts';
import { pageAddress, type Api } from './links.ts';
import { messageMarkdown, operationMarkdown, type ShownOperation } from './operation_markdown.ts';
import { publishedContract } from './publish.ts';

/*
 * The pages of the reference: an overview of each API, and a page for each guide, group of operations, operation and message. Each is
 * served as Markdown and as HTML.
 */

export interface ReferencePage {
  readonly api: Api;
  readonly kind: 'overview' | 'guide' | 'group' | 'operation' | 'message';
  /** Its address, without `.md`. */
  readonly address: string;
  readonly title: string;
  /** The name of its operation, or its title. */
  readonly name: string;
  /** One sentence, for lists. */
  readonly summary: string;
  /** The tag of its operation. */
  readonly tag?: string;
  /** Markdown, in which names are not links yet. */
  readonly text: () => string;
}

type DescribedContract = Contract & {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
};

const contractOf = (api: Api): DescribedContract => publishedContract(api) as DescribedContract;

/** The title of an API, and a sentence about it. */
export const infoOf = (api: Api): DescribedContract['info'] => contractOf(api).info;

/** The chapters of an API, in the order of its menu. The first has the guides, the others have the groups of operations. */
export const menuOf = (api: Api): DescribedContract['x-tagGroups'] => contractOf(api)['x-tagGroups'];

/** The pages of an API in the order in which they follow each other. */
export const referencePages = remember({ limit: 10 }, (api: Api): readonly ReferencePage[] => {
  const guides = guidePages(api);
  const operations = [...operationPages(api), ...messagePages(api)];
  const [, ...chapters] = menuOf(api);
  const groups = chapters.flatMap(({ tags }) => tags).map((tag) => groupPages(api, tag, operations));
  return [overview(api, guides, groups), ...guides, ...groups.flat()];
});

function guidePages(api: Api): ReferencePage[] {
  const guides = new Map(guidesOf(contractOf(api)).map(({ name, text }) => [name, text]));
  return menuOf(api)[0]!.tags.map((name) => ({
    api,
    kind: 'guide',
    address: pageAddress({ api, kind: 'tag', name }),
    title: name,
    name,
    summary: '',
    text: () => `# ${name}\n\n${guides.get(name)!}\n`,
  }));
}

function operationPages(api: Api): ReferencePage[] {
  const contract = contractOf(api);
  return operationsOf(contract).map((placed) => {
    const { summary, operationId, tags } = placed.operation as ShownOperation;
    return {
      api,
      kind: 'operation',
      address: pageAddress({ api, kind: 'operation', name: operationId }),
      title: summary,
      name: operationId,
      summary: `${summary}. \`${placed.method.toUpperCase()} ${contract.servers[0]!.url}${placed.path}\``,
      tag: tags![0]!,
      text: () => operationMarkdown(api, contract, placed),
    };
  });
}

function messagePages(api: Api): ReferencePage[] {
  const contract = contractOf(api);
  return messagesOf(contract).map((operation) => {
    const { summary, operationId, tags } = operation as ShownOperation;
    return {
      api,
      kind: 'message',
      address: pageAddress({ api, kind: 'operation', name: operationId }),
      title: summary,
      name: operationId,
      summary: `${summary}, a message to webhooks.`,
      tag: tags![0]!,
      text: () => messageMarkdown(contract, operation),
    };
  });
}

/** The page of a group, and those of its operations. */
function groupPages(api: Api, tag: string, operations: readonly ReferencePage[]): readonly ReferencePage[] {
  const own = operations.filter((page) => page.tag === tag);
  const { description } = contractOf(api).tags.find(({ name }) => name === tag)!;
  const text = () => `# ${tag}\n\n${description.trim()}\n\n${own.map(line).join('\n')}\n`;
  const address = pageAddress({ api, kind: 'tag', name: tag });
  return [{ api, kind: 'group', address, title: tag, name: tag, summary: description.trim(), tag, text }, ...own];
}

function overview(
  api: Api,
  guides: readonly ReferencePage[],
  groups: readonly (readonly ReferencePage[])[],
): ReferencePage {
  const { title, summary, description } = infoOf(api);
  const text = () =>
    [
      `# ${title}`,
      description.trim(),
      '## Guides',
      guides.map(line).join('\n'),
      '## Operations',
      ...groups.flatMap(([group, ...operations]) => [`### ${group!.title}`, operations.map(line).join('\n')]),
    ].join('\n\n') + '\n';
  return { api, kind: 'overview', address: `/docs/${api}/overview`, title, name: title, summary, text };
}

/** A page in a list. */
const line = ({ address, name, summary }: ReferencePage): string =>
  `- [${name}](${address})${summary ? `: ${summary}` : ''}`;

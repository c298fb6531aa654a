import { remember } from '../../src/platform/core/remember.ts';
import {
  messagesOf,
  operationsOf,
  type Api,
  type ContractOperation,
} from '../../src/platform/http/contract_document.ts';
import { guidesOf } from './guides.ts';
import { pageAddress, type Target } from './links.ts';
import { messageMarkdown, operationMarkdown, type ShownOperation } from './operation_markdown.ts';
import { publishedContract, type PublishedContract } from './publish.ts';

/*
 * The pages of the reference: an overview of each API, and a page for each guide, group of operations, operation and message. Each is
 * served as Markdown and as HTML.
 */

export interface ReferencePage {
  readonly api: Api;
  readonly kind: 'overview' | 'guide' | 'group' | 'operation' | 'message';
  /** What it is about. Missing where that is the whole API. */
  readonly target?: Target;
  /** Its address, without `.md`. */
  readonly address: string;
  readonly title: string;
  /** The name of its operation, or its title. */
  readonly name: string;
  /** One sentence, for lists. */
  readonly summary: string;
  /** What its operation does. */
  readonly description?: string | undefined;
  /** The tag of its operation. */
  readonly tag?: string;
  /** Markdown, in which names are not links yet. */
  readonly text: () => string;
}

/** The chapters of an API, in the order of its menu. The first has the guides, the others have the groups of operations. */
export const menuOf = (api: Api): PublishedContract['x-tagGroups'] => publishedContract(api)['x-tagGroups'];

/** The pages of an API in the order in which they follow each other. */
export const referencePages = remember({ limit: 10 }, (api: Api): readonly ReferencePage[] => {
  const guides = guidePages(api);
  const operations = operationPages(api);
  const [, ...chapters] = menuOf(api);
  const groups = chapters.flatMap(({ tags }) => tags).map((tag) => groupPages(api, tag, operations));
  return [overview(api, guides, groups), ...guides, ...groups.flat()];
});

function guidePages(api: Api): ReferencePage[] {
  const guides = new Map(guidesOf(publishedContract(api)).map(({ name, text }) => [name, text]));
  return menuOf(api)[0]!.tags.map((name) => ({
    ...tagPage(api, name),
    kind: 'guide',
    summary: '',
    text: () => `# ${name}\n\n${guides.get(name)!}\n`,
  }));
}

/** What the pages of guides and groups have in common. */
function tagPage(api: Api, name: string) {
  const target = { api, kind: 'tag', name } as const;
  return { api, target, address: pageAddress(target), title: name, name };
}

function operationPages(api: Api): ReferencePage[] {
  const contract = publishedContract(api);
  const pageOf = (operation: ContractOperation, about: string) => {
    const { operationId: name, summary: title, description, tags } = operation as ShownOperation;
    const target = { api, kind: 'operation', name } as const;
    return {
      api,
      target,
      address: pageAddress(target),
      title,
      name,
      summary: title + about,
      description,
      tag: tags![0]!,
    };
  };
  return [
    ...operationsOf(contract).map((placed): ReferencePage => {
      const call = `\`${placed.method.toUpperCase()} ${contract.servers[0]!.url}${placed.path}\``;
      const text = () => operationMarkdown(api, contract, placed);
      return { ...pageOf(placed.operation, `. ${call}`), kind: 'operation', text };
    }),
    ...messagesOf(contract).map((operation): ReferencePage => {
      const text = () => messageMarkdown(contract, operation);
      return { ...pageOf(operation, ', a message to webhooks.'), kind: 'message', text };
    }),
  ];
}

/** The page of a group, and those of its operations. */
function groupPages(api: Api, tag: string, operations: readonly ReferencePage[]): readonly ReferencePage[] {
  const own = operations.filter((page) => page.tag === tag);
  const summary = publishedContract(api)
    .tags.find(({ name }) => name === tag)!
    .description.trim();
  const text = () => `# ${tag}\n\n${summary}\n\n${own.map(line).join('\n')}\n`;
  return [{ ...tagPage(api, tag), kind: 'group', summary, tag, text }, ...own];
}

function overview(
  api: Api,
  guides: readonly ReferencePage[],
  groups: readonly (readonly ReferencePage[])[],
): ReferencePage {
  const { title, summary, description } = publishedContract(api).info;
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

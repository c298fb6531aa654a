import { remember } from '../../src/platform/core/remember.ts';
import { messagesOf, operationsOf, type Contract } from '../../src/platform/http/contract_document.ts';
import { changelogMarkdown } from './changelog.ts';
import { contractFiles } from './contract_files.ts';
import { guideAddress, guidesOf } from './guides.ts';
import { firstSteps, ownText } from './landing.ts';
import { messageMarkdown, operationMarkdown, type ShownOperation } from './operation_markdown.ts';
import { publishedContract } from './publish.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';

/*
 * The reference in Markdown, for programs that read text: one page per guide, per operation and per message, a page per API that
 * lists them, and llms.txt, which lists everything.
 */

interface MarkdownPage {
  readonly title: string;
  /** One sentence, for lists. */
  readonly summary?: string;
  readonly text: () => string;
}

type Pages = ReadonlyMap<string, MarkdownPage>;

type DescribedContract = Contract & {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
};

const apis = ['v3', 'public'] as const;
type Api = (typeof apis)[number];

const operationAddress = (api: Api, operationId: string): string => `/docs/${api}/operations/${operationId}.md`;
const line = (address: string, { title, summary }: MarkdownPage): string =>
  `- [${title}](${sampleOrigin}${address})${summary ? `: ${summary}` : ''}`;

/** The pages of both APIs by their address. */
export const markdownPages = remember({ limit: 2, keyOf: () => 'all' }, (): Pages => {
  const pages = new Map<string, MarkdownPage>([
    ['/docs.md', { title: 'Punchcard', text: landingMarkdown }],
    ['/docs/changelog.md', { title: 'Changelog', text: changelogMarkdown }],
  ]);
  for (const api of apis) for (const [address, page] of pagesOf(api)) pages.set(address, page);
  return pages;
});

function pagesOf(api: Api): Map<string, MarkdownPage> {
  const contract = publishedContract(api) as DescribedContract;
  const guides = new Map(
    guidesOf(api, contract).map(({ name, text, address }): [string, MarkdownPage] => [
      address,
      { title: name, text: () => `# ${name}\n\n${linked(api, text.trim())}\n` },
    ]),
  );
  const operations = new Map(
    operationsOf(contract).map((placed): [string, MarkdownPage] => {
      const { summary, operationId } = placed.operation as ShownOperation;
      return [
        operationAddress(api, operationId),
        {
          title: operationId,
          summary: `${summary}. \`${placed.method.toUpperCase()} ${contract.servers[0]!.url}${placed.path}\``,
          text: () => linked(api, operationMarkdown(api, contract, placed)),
        },
      ];
    }),
  );
  const messages = new Map(
    messagesOf(contract).map((operation): [string, MarkdownPage] => [
      operationAddress(api, operation.operationId),
      {
        title: operation.operationId,
        summary: `${(operation as ShownOperation).summary}, a message to webhooks.`,
        text: () => linked(api, messageMarkdown(contract, operation)),
      },
    ]),
  );
  const text = () => apiMarkdown(contract, guides, new Map([...operations, ...messages]));
  const overview: [string, MarkdownPage] = [`/docs/${api}.md`, { title: contract.info.title, text }];
  return new Map([overview, ...guides, ...operations, ...messages]);
}

/** Links to other chapters of the page become links to their Markdown. */
const linked = (api: Api, text: string): string =>
  text.replaceAll(/\]\(#(tag|operation)\/([\w-]+)[^)]*\)/g, (_match, kind: string, name: string) => {
    const address = kind === 'tag' ? guideAddress(api, name) : operationAddress(api, name);
    return `](${sampleOrigin}${markdownPages().has(address) ? address : `/docs/${api}#${kind}/${name}`})`;
  });

const apiMarkdown = ({ info }: DescribedContract, guides: Pages, operations: Pages): string => `# ${info.title}

${info.description.trim()}

## Guides

${[...guides].map(([address, page]) => line(address, page)).join('\n')}

## Operations

${[...operations].map(([address, page]) => line(address, page)).join('\n')}
`;

const introduction = `Working time, absences with approval, and users: one service, two APIs over the same records. The resource API v3 at \`/api/v3\` is for apps that people use: they sign in and act as themselves. The public API v1 at \`/public_api/v1\` is for systems that exchange data: one token stands for a whole enterprise.`;

const landingMarkdown = (): string => `# Punchcard

${introduction}

- [Resource API v3](${sampleOrigin}/docs/v3.md)
- [Public API v1](${sampleOrigin}/docs/public.md)
- [Changelog](${sampleOrigin}/docs/changelog.md)
- [Everything that there is](${sampleOrigin}/llms.txt)

## Five minutes in a terminal

${ownText}

${firstSteps(false)
  .map(([text, command]) => `${text}\n\n\`\`\`sh\n${command}\n\`\`\``)
  .join('\n\n')}
`;

/** The list of everything, in the form that llmstxt.org describes. */
export function llmsText(): string {
  const sections = apis.flatMap((api) => {
    const { info } = publishedContract(api) as DescribedContract;
    const [overview, ...rest] = [...markdownPages()].filter(([address]) => address.startsWith(`/docs/${api}`));
    const [address, page] = overview!;
    const inFolder = (folder: string) => rest.filter(([other]) => other.startsWith(`/docs/${api}/${folder}/`));
    return [
      `## ${info.title}`,
      [line(address, { ...page, summary: info.summary }), ...inFolder('guides').map((entry) => line(...entry))].join(
        '\n',
      ),
      `## Operations of the ${info.title}`,
      inFolder('operations')
        .map((entry) => line(...entry))
        .join('\n'),
    ];
  });
  const files = contractFiles.map(({ name, title }) => `- [${name}](${sampleOrigin}/openapi/${name}): ${title}`);
  const changelog = `- [Changelog](${sampleOrigin}/docs/changelog.md)\n- [All of these pages in one](${sampleOrigin}/llms-full.txt)`;
  return `${['# Punchcard', `> ${introduction}`, ...sections, '## Contracts', files.join('\n'), '## Optional', changelog].join('\n\n')}\n`;
}

import { remember } from '../../src/platform/core/remember.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { changelogMarkdown } from './changelog.ts';
import { contractFiles } from './contract_files.ts';
import { firstSteps, ownText } from './landing.ts';
import { apis, type Api } from '../../src/platform/http/contract_document.ts';
import { pageAddress, withLinks } from './links.ts';
import { publishedContract } from './publish.ts';
import { referencePages, type ReferencePage } from './reference_pages.ts';

/*
 * The reference in Markdown, for programs that read text: the pages of both APIs, and llms.txt, which lists everything.
 */

interface MarkdownPage {
  readonly title: string;
  /** One sentence, for lists. */
  readonly summary?: string;
  readonly text: () => string;
}

type Pages = ReadonlyMap<string, MarkdownPage>;

const line = (address: string, { title, summary }: MarkdownPage): string =>
  `- [${title}](${sampleOrigin}${address})${summary ? `: ${summary}` : ''}`;

/** The overview of an API has a short address. */
const twinAddress = ({ kind, api, address }: ReferencePage): string =>
  kind === 'overview' ? `/docs/${api}.md` : `${address}.md`;

/** The addresses of the Markdown pages of the reference, by those of the pages in HTML. */
const twins = remember(
  { limit: 10, keyOf: () => 'all' },
  (): ReadonlyMap<string, string> =>
    new Map(apis.flatMap((api) => referencePages(api).map((page) => [page.address, twinAddress(page)] as const))),
);

/** The address of the same page in Markdown. */
export const twinOf = (address: string): string => twins().get(address)!;

/** The pages of both APIs by their address. */
export const markdownPages = remember({ limit: 10, keyOf: () => 'all' }, (): Pages => {
  const pages = new Map<string, MarkdownPage>([
    ['/docs.md', { title: 'Punchcard', text: landingMarkdown }],
    ['/docs/changelog.md', { title: 'Changelog', text: changelogMarkdown }],
  ]);
  for (const api of apis)
    for (const page of referencePages(api)) {
      const { name, summary, text } = page;
      pages.set(twinOf(page.address), { title: name, summary, text: () => linked(api, text(), name) });
    }
  return pages;
});

/** Links to other pages become links to their Markdown. */
const linked = (api: Api, text: string, own: string): string =>
  withLinks(api, text, pageAddress, own).replaceAll(
    /\]\((\/[^)#\s]*)(#[^)\s]*)?\)/g,
    (_match, address: string, anchor = '') => `](${sampleOrigin}${twins().get(address) ?? address}${anchor})`,
  );

const introduction = `Working time, absences with approval, time accounts, shifts and payroll: one service, two APIs over the same records, and webhooks that tell other systems what happened. The resource API v3 at \`/api/v3\` is for apps that people use: they sign in and act as themselves. The public API v1 at \`/public_api/v1\` is for systems that exchange data: one token stands for a whole enterprise.`;

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
    const { title, summary } = publishedContract(api).info;
    const [overview, ...rest] = [...markdownPages()].filter(([address]) => address.startsWith(`/docs/${api}`));
    const [address, page] = overview!;
    const inFolder = (folder: string) => rest.filter(([other]) => other.startsWith(`/docs/${api}/${folder}/`));
    return [
      `## ${title}`,
      [line(address, { ...page, summary }), ...inFolder('guides').map((entry) => line(...entry))].join('\n'),
      `## Operations of the ${title}`,
      inFolder('operations')
        .map((entry) => line(...entry))
        .join('\n'),
    ];
  });
  const files = contractFiles.map(({ name, title }) => `- [${name}](${sampleOrigin}/openapi/${name}): ${title}`);
  const changelog = `- [Changelog](${sampleOrigin}/docs/changelog.md)\n- [All of these pages in one](${sampleOrigin}/llms-full.txt)`;
  return `${['# Punchcard', `> ${introduction}`, ...sections, '## Contracts', files.join('\n'), '## Optional', changelog].join('\n\n')}\n`;
}

/** The whole reference as one text, for programs that read everything at once. Each page begins with its address. */
export const llmsFullText = (): string =>
  [...markdownPages()]
    .map(([address, page]) => `<!-- ${sampleOrigin}${address} -->\n\n${page.text().trim()}\n`)
    .join('\n---\n\n');

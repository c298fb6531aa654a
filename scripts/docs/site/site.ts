import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { apis } from '../../../src/platform/http/contract_document.ts';
import { escaped, framed } from '../frame.ts';
import { pageAddress, withLinks } from '../links.ts';
import { twinOf } from '../markdown_pages.ts';
import { publishedContract } from '../publish.ts';
import { referencePages, type ReferencePage } from '../reference_pages.ts';
import { firstSentence, inHtml } from './html.ts';
import { menuFor } from './menu.ts';
import { searchIndex } from './search_index.ts';

/*
 * The reference as small pages that read without a script: the Markdown of each page in a frame with a menu. The page of the
 * viewer shows everything at once, and takes many seconds to appear.
 */

const asset = (name: string): string => readFileSync(path.join(import.meta.dirname, 'browser', name), 'utf8');

/** The files of the site by their address. */
export const siteFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ...['page.css', 'page.js', 'copy.js'].map((name): [string, string] => [`/docs/${name}`, asset(name)]),
    ...apis.map((api): [string, string] => [`/docs/${api}/search.json`, searchIndex(api)]),
    ...apis.flatMap((api) =>
      referencePages(api).map((page, index, pages): [string, string] => [
        `${page.address}.html`,
        htmlPage(page, pages[index - 1], pages[index + 1]),
      ]),
    ),
  ]);

function htmlPage(page: ReferencePage, previous?: ReferencePage, next?: ReferencePage): string {
  const { api, address, title, name } = page;
  const [, markdown = ''] = /^# .*\n([^]*)$/.exec(withLinks(api, page.text(), pageAddress, name))!;
  const linkTo = (rel: string, neighbour: ReferencePage | undefined): string =>
    neighbour ? `<a rel="${rel}" href="${neighbour.address}">${escaped(neighbour.title)}</a>` : '';
  return framed(
    {
      title,
      site: publishedContract(api).info.title,
      description: firstSentence(markdown),
      canonical: sampleOrigin + address,
      twin: twinOf(address),
      previous: previous?.address,
      next: next?.address,
      searchIndex: `/docs/${api}/search.json`,
      menu: menuFor(page),
    },
    `${inHtml(markdown)}<nav class="around">${linkTo('prev', previous)}${linkTo('next', next)}</nav>`,
  );
}

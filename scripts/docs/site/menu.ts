import { escaped } from '../frame.ts';
import { anchorOf, pageAddress } from '../links.ts';
import { publishedContract } from '../publish.ts';
import { menuOf, referencePages, type ReferencePage } from '../reference_pages.ts';

/** The chapters of an API. The group that the reader looks at is open. */
export function menuFor(page: ReferencePage): string {
  const pages = referencePages(page.api);
  const item = ({ address, title }: Pick<ReferencePage, 'address' | 'title'>, below = ''): string =>
    `<li><a href="${address}"${address === page.address ? ' aria-current="page"' : ''}>${escaped(title)}</a>${below}</li>`;
  const operationsIn = (tag: string): string =>
    `<ul>${pages
      .filter((one) => one.tag === tag && one.kind !== 'group')
      .map((one) => item(one))
      .join('')}</ul>`;
  const chapters = menuOf(page.api).map(({ name, tags }) => {
    const items = tags.map((tag) =>
      item(
        { address: pageAddress({ api: page.api, kind: 'tag', name: tag }), title: tag },
        tag === page.tag ? operationsIn(tag) : '',
      ),
    );
    return `<h2>${escaped(name)}</h2><ul>${items.join('')}</ul>`;
  });
  return `<nav id="menu" aria-label="${escaped(publishedContract(page.api).info.title)}">
<ul>${item(pages[0]!)}<li><a href="${wholeReference(page)}">All on one page</a></li></ul>
${chapters.join('\n')}
</nav>`;
}

/** The place of a page in the page that shows everything. */
const wholeReference = ({ api, target }: ReferencePage): string => `/docs/${api}${target ? anchorOf(target) : ''}`;

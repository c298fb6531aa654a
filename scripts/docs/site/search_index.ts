import type { Api } from '../../../src/platform/http/contract_document.ts';
import { referencePages, type ReferencePage } from '../reference_pages.ts';
import { sectionsOf } from './html.ts';

/** What the search of a page finds: an address, a title, what stands beside it, and other words that lead to it. */
type Entry = readonly [address: string, title: string, beside: string, words: string];

/** The entries of the search, as the script of the pages reads them. */
export const searchIndex = (api: Api): string =>
  JSON.stringify(referencePages(api).flatMap((page) => (page.kind === 'guide' ? guideEntries(page) : [entryOf(page)])));

function entryOf({ kind, address, title, name, summary, tag = '', description = '' }: ReferencePage): Entry {
  if (kind !== 'operation' && kind !== 'message') return [address, title, '', wordsIn(summary)];
  const [, call = ''] = /`(.+)`/.exec(summary) ?? [];
  return [address, title, call || name, wordsIn(`${tag} ${description}`)];
}

/** A guide, and each of its sections. */
function guideEntries({ address, title, text }: ReferencePage): Entry[] {
  const [introduction = ''] = text().split(/^#{2,3} /m);
  return [
    [address, title, '', wordsIn(introduction)],
    ...sectionsOf(text()).map(({ id, text: heading, body }): Entry => [
      `${address}#${id}`,
      heading,
      title,
      wordsIn(body),
    ]),
  ];
}

/** The words of a text that say something, each once. */
const wordsIn = (text: string): string => [...new Set(text.toLowerCase().match(/[\p{L}_][\p{L}\d_-]{3,}/gu))].join(' ');

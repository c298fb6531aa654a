import { remember } from '../../src/platform/core/remember.ts';
import { apis, messagesOf, operationsOf, wordsOf, type Api } from '../../src/platform/http/contract_document.ts';
import { headingId, slugOf } from './guides.ts';
import { publishedContract } from './publish.ts';

/*
 * Texts name operations, chapters, events and codes of errors. Here the names become links. The contracts that are served to
 * programs keep the plain names.
 */

/** What a name stands for. */
export type Target =
  | { readonly api: Api; readonly kind: 'operation'; readonly name: string }
  | { readonly api: Api; readonly kind: 'tag'; readonly name: string; readonly heading?: string };

/** The address of a target, as the reader of a text needs it. */
export type AddressOf = (target: Target) => string;

const namesOf = remember({ limit: 10 }, (api: Api) => {
  const contract = publishedContract(api);
  const operations = [...operationsOf(contract).map(({ operation }) => operation), ...messagesOf(contract)];
  return {
    operations: new Set(operations.map(({ operationId }) => operationId)),
    // By the name in links.
    tags: new Map(contract.tags.map((tag) => [slugOf(tag.name), tag])),
    events: new Set(api === 'v3' ? wordsOf(contract, 'EventName') : []),
    // By the type of record that they are about.
    messages: new Map(Object.entries(contract.webhooks ?? {}).map(([type, { post }]) => [type, post.operationId])),
    codes: new Set(wordsOf(contract, 'ErrorCode')),
  };
});

/** The address of a page of the reference. Markdown adds `.md`. */
export function pageAddress(target: Target): string {
  const { api, kind, name } = target;
  if (kind === 'operation') return `/docs/${api}/operations/${name}`;
  const isGuide = namesOf(api).tags.get(slugOf(name))?.['x-traitTag'];
  const page = `/docs/${api}/${isGuide ? 'guides' : 'groups'}/${slugOf(name)}`;
  return target.heading === undefined ? page : `${page}#${headingId(target.heading)}`;
}

/** The anchor of a target in the page that shows all of its API. */
export function anchorOf(target: Target): string {
  if (target.kind === 'operation') return `#operation/${target.name}`;
  const tag = `#tag/${target.name.replaceAll(' ', '-')}`;
  return target.heading === undefined ? tag : `${tag}/${target.heading}`;
}

/** The entry of a code in the catalogue. */
export const codeTarget = (api: Api, code: string): Target => ({
  api,
  kind: 'tag',
  name: 'Error codes',
  heading: code,
});

/** A block of code, a link, a word in code, or a name in italics. Only the last three become links. */
const linkable = /^(```|~~~).*?^\1$|\[(?:`[^`]*`|[^\]`])*\]\([^)\s]*\)|`[^`\n]+`|(?<![\w`*])_[A-Z][^_\n`]+_(?!\w)/gms;
const internal = /^(\[.*\])\(#(tag|operation)\/([\w-]+)(?:\/([\w-]+))?\)$/s;

/** The text with a link wherever it names something that the reference describes. `own` is the operation it is about. */
export const withLinks = (api: Api, text: string, addressOf: AddressOf, own?: string): string =>
  text.replaceAll(linkable, (match) => {
    const link = internal.exec(match);
    if (link) return `${link[1]}(${addressOf(linkTarget(api, link[2]!, link[3]!, link[4]))})`;
    const target = match.startsWith('`') ? codeNamed(api, match.slice(1, -1), own) : tagNamed(api, match);
    if (!target) return match;
    return `[${match.startsWith('_') ? match.slice(1, -1) : match}](${addressOf(target)})`;
  });

function linkTarget(api: Api, kind: string, name: string, heading: string | undefined): Target {
  if (kind === 'operation' && namesOf(api).operations.has(name)) return { api, kind, name };
  const tag = kind === 'tag' ? namesOf(api).tags.get(slugOf(name)) : undefined;
  if (!tag) throw new Error(`A text of ${api} links to ${kind}/${name}, which is not in the contract.`);
  return { api, kind: 'tag', name: tag.name, ...(heading === undefined ? {} : { heading }) };
}

/** The operation, the event or the code that a word in code names. Codes of one word are also ordinary words. */
function codeNamed(api: Api, word: string, own: string | undefined): Target | undefined {
  if (word === own) return undefined;
  const home = [api, ...apis].find((one) => namesOf(one).operations.has(word));
  if (home) return { api: home, kind: 'operation', name: word };
  const { events, messages } = namesOf('v3');
  const message = events.has(word) ? (messages.get(word.split('.')[0]!) ?? messages.get('other')) : undefined;
  if (message !== undefined) return message === own ? undefined : { api: 'v3', kind: 'operation', name: message };
  return word.includes('_') && namesOf(api).codes.has(word) ? codeTarget(api, word) : undefined;
}

function tagNamed(api: Api, match: string): Target | undefined {
  const slug = slugOf(match.startsWith('_') ? match.slice(1, -1) : '');
  const home = [api, ...apis].find((one) => namesOf(one).tags.has(slug));
  return home && { api: home, kind: 'tag', name: namesOf(home).tags.get(slug)!.name };
}

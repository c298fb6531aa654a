import { operationsOf, resolver, type Contract, type Reference } from '../../src/platform/http/contract_document.ts';
import { tableOf } from './member_table.ts';

/** A chapter of the reference. */
export interface Guide {
  readonly name: string;
  readonly text: string;
}

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly 'x-traitTag'?: boolean;
}

/** A name as addresses have it. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-').replace(/-$/, '');

/** The id of a heading. Codes of errors are their own. */
export const headingId = (heading: string): string => slugOf(heading.replaceAll('`', '')).replace(/^-/, '');

/** The headers that responses of all operations have. The contract lists them everywhere, and the reference once. */
export const commonHeaders: readonly string[] = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Preference-Applied',
];

/** The chapters of an API. They are tags of its contract. */
export const guidesOf = (contract: Contract): Guide[] =>
  (contract as unknown as { tags: readonly Tag[] }).tags
    .filter((tag) => tag['x-traitTag'])
    .map(({ name, description }) => ({
      name,
      text: withHeadings(description.trim()) + (name === 'Headers' ? headerTable(contract) : ''),
    }));

interface Header {
  readonly description: string;
  readonly example?: string;
}

/** The common headers of an API, for the chapter about headers. */
function headerTable(contract: Contract): string {
  const resolve = resolver(contract);
  const all = new Map(
    operationsOf(contract)
      .flatMap(({ operation }) => Object.values(operation.responses) as { headers?: Record<string, Reference> }[])
      .flatMap(({ headers = {} }) => Object.entries(headers)),
  );
  const rows = commonHeaders
    .filter((name) => all.has(name))
    .map((name) => [name, resolve(all.get(name)!.$ref) as Header] as const)
    .map(([name, { description, example }]) => [`\`${name}\``, description, `\`${example}\``]);
  return `\n\nThe responses of nearly all operations can have these. This guide has them once, and the contract lists them with each response:\n\n${tableOf(['header', 'meaning', 'example'], rows)}`;
}

/**
 * Paragraphs that begin with a few bold words get these as a heading, which the menu of the page names. A guide with headings of
 * its own keeps its bold words.
 */
export const withHeadings = (text: string): string =>
  /^## /m.test(text) ? text : text.replaceAll(/^\*\*([A-Z][^*\n]{2,60})\.\*\* /gm, '## $1\n\n');

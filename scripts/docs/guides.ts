import { resolver, type Contract } from '../../src/platform/http/contract_document.ts';
import { commonHeaders } from './common_headers.ts';
import { tableOf } from './member_table.ts';
import type { PublishedContract } from './publish.ts';

/** A chapter of the reference. */
export interface Guide {
  readonly name: string;
  readonly text: string;
}

/** A name as addresses have it. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-').replace(/-$/, '');

/** The id of a heading. Codes of errors are their own. */
export const headingId = (heading: string): string => slugOf(heading.replaceAll('`', '')).replace(/^-/, '');

/** The chapters of an API. They are tags of its contract. */
export const guidesOf = (contract: PublishedContract): Guide[] =>
  contract.tags
    .filter((tag) => tag['x-traitTag'])
    .map(({ name, description }) => ({
      name,
      text: withHeadings(description.trim()) + (name === 'Headers' ? headerTable(contract) : ''),
    }));

/** The common headers of an API, for the chapter about headers. */
function headerTable(contract: Contract): string {
  const resolve = resolver(contract);
  const rows = [...commonHeaders(contract)].map(([reference, name]) => {
    const { description, example } = resolve(reference) as { readonly description: string; readonly example: string };
    return [`\`${name}\``, description, `\`${example}\``];
  });
  return `\n\nThe responses of nearly all operations can have these. This guide has them once, and the contract lists them with each response:\n\n${tableOf(['header', 'meaning', 'example'], rows)}`;
}

/**
 * Paragraphs that begin with a few bold words get these as a heading, which the menu of the page names. A guide with headings of
 * its own keeps its bold words.
 */
export const withHeadings = (text: string): string =>
  /^## /m.test(text) ? text : text.replaceAll(/^\*\*([A-Z][^*\n]{2,60})\.\*\* /gm, '## $1\n\n');

import type { Contract } from '../../src/platform/http/contract_document.ts';

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

/** The chapters of an API. They are tags of its contract. */
export const guidesOf = (contract: Contract): Guide[] =>
  (contract as unknown as { tags: readonly Tag[] }).tags
    .filter((tag) => tag['x-traitTag'])
    .map(({ name, description }) => ({ name, text: withHeadings(description.trim()) }));

/**
 * Paragraphs that begin with a few bold words get these as a heading, which the menu of the page names. A guide with headings of
 * its own keeps its bold words.
 */
export const withHeadings = (text: string): string =>
  /^## /m.test(text) ? text : text.replaceAll(/^\*\*([A-Z][^*\n]{2,60})\.\*\* /gm, '## $1\n\n');

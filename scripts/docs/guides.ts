import type { Contract } from '../../src/platform/http/contract_document.ts';

/** A chapter of the reference. */
export interface Guide {
  readonly name: string;
  readonly text: string;
  /** The address of its Markdown. */
  readonly address: string;
}

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly 'x-traitTag'?: boolean;
}

export const guideAddress = (api: string, name: string): string =>
  `/docs/${api}/guides/${name.toLowerCase().replaceAll(/\W+/g, '-').replace(/-$/, '')}.md`;

/** The chapters of an API. They are tags of its contract. */
export const guidesOf = (api: string, contract: Contract): Guide[] =>
  (contract as unknown as { tags: readonly Tag[] }).tags
    .filter((tag) => tag['x-traitTag'])
    .map(({ name, description }) => ({
      name,
      text: withHeadings(description),
      address: guideAddress(api, name),
    }));

/** Paragraphs that begin with a few bold words get these as a heading, which the menu of the page names. */
export const withHeadings = (text: string): string => text.replaceAll(/^\*\*([A-Z][^*\n]{2,60})\.\*\* /gm, '## $1\n\n');

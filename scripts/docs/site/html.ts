import { Marked, type Tokens } from 'marked';
import { escaped } from '../frame.ts';
import { headingId } from '../guides.ts';

/** A heading of a page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

const plain = (tokens: Tokens.Heading['tokens']): string =>
  tokens.map((token) => ('text' in token ? (token.text as string) : token.raw)).join('');

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const id = headingId(plain(tokens));
      return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    // The cells of wide tables stand below each other on a phone.
    table(token) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const kind = token.header.length > 3 ? ' class="wide"' : '';
      return `<table${kind}>\n<thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>\n${rows}\n</tbody>\n</table>\n`;
    },
    code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
  },
});

/** Markdown as HTML, with an id for every heading. */
export const inHtml = (markdown: string): string => marked.parse(markdown, { async: false });

/** The headings in Markdown, with the text below each. */
export const sectionsOf = (markdown: string): (Heading & { readonly body: string })[] =>
  markdown
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => {
      const [text = '', ...lines] = section.split('\n');
      return { id: headingId(text), text: text.replaceAll('`', ''), body: lines.join('\n') };
    });

/** The first sentence of a text in Markdown, without its marks. */
export function firstSentence(markdown: string): string {
  const paragraphs = markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .trim()
    .split(/\n{2,}/);
  const first = paragraphs.find((part) => /^[^#|\s-]/.test(part) && part.length > 10) ?? '';
  const text = first
    .replaceAll(/\[((?:`[^`]*`|[^\]`])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.{20,}?[.:!?](?= |$)/.exec(text)?.[0] ?? text;
}

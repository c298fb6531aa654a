import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { markdownPages } from './markdown_pages.ts';

/** The whole reference as one text, for programs that read everything at once. Each page begins with its address. */
export const llmsFullText = (): string =>
  [...markdownPages()]
    .map(([address, page]) => `<!-- ${sampleOrigin}${address} -->\n\n${page.text().trim()}\n`)
    .join('\n---\n\n');

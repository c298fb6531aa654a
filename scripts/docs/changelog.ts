import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escaped, framed } from './frame.ts';
import { inHtml } from './site/html.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';

/** A part of the changelog: a release, or what comes with the next one. */
interface Release {
  readonly name: string;
  /** The day of the release, or of the last change for what is unreleased. */
  readonly updated: string;
  readonly text: string;
}

const file = path.resolve(import.meta.dirname, '../../CHANGELOG.md');
const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/[^\w.]+/g, '-');

export const changelogMarkdown = (): string => readFileSync(file, 'utf8');

/**
 * The releases in a changelog, in its order. Headings are such as `## 0.2.0, 2026-11-30` or `## 0.3.0, unreleased`. What is
 * unreleased has the day of its last change in a sentence such as `As of 2026-12-24.`
 */
export const releasesIn = (changelog: string): Release[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [name, state = ''] = heading.split(',').map((word) => word.trim());
      const text = lines.join('\n').trim();
      const day = state === 'unreleased' ? /^As of (\S+)\./.exec(text)?.[1] : state;
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day ?? '')) throw new Error(`The section ${name} of the changelog has no day.`);
      return { name: name!, updated: `${day}T00:00:00Z`, text };
    });

export function changelogPage(): string {
  const [introduction = ''] = changelogMarkdown()
    .replace(/^# .*\n/, '')
    .split(/^## /m);
  const parts = releasesIn(changelogMarkdown()).map(
    ({ name, text }) => `<h2 id="${anchorOf(name)}">${escaped(name)}</h2>\n${inHtml(text)}`,
  );
  const feed = '<p><a href="/docs/changelog.atom">Atom feed</a></p>';
  return framed(
    { title: 'Changelog', twin: '/docs/changelog.md', feed: '/docs/changelog.atom' },
    [inHtml(introduction), feed, ...parts].join('\n'),
  );
}

/** The changelog as a feed, with one entry per release. */
export function changelogFeed(releases: readonly Release[] = releasesIn(changelogMarkdown())): string {
  const page = `${sampleOrigin}/docs/changelog`;
  const entries = releases.map(
    ({ name, updated, text }) => `  <entry>
    <id>${page}#${anchorOf(name)}</id>
    <title>Punchcard ${escaped(name)}</title>
    <link href="${page}#${anchorOf(name)}"/>
    <updated>${updated}</updated>
    <content type="html">${escaped(inHtml(text))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${page}</id>
  <title>Changelog of Punchcard</title>
  <author><name>Punchcard</name></author>
  <link href="${page}"/>
  <link rel="self" type="application/atom+xml" href="${page}.atom"/>
  <updated>${
    releases
      .map(({ updated }) => updated)
      .sort()
      .at(-1) ?? new Date(0).toISOString()
  }</updated>
${entries.join('\n')}
</feed>
`;
}

/** A card with punched holes, inlined so that the page fetches nothing. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1565c0" d="M8 3h19a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8z"/><path fill="#fff" d="M8 12h3v5H8zm6.5 0h3v5h-3zm6.5 0h3v5h-3zM8 20h3v5H8zm6.5 0h3v5h-3z"/></svg>`,
)}`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The pages that every page leads to. */
export const mainPages: readonly (readonly [address: string, name: string])[] = [
  ['/docs', 'Punchcard'],
  ['/docs/v3/overview', 'Resource API'],
  ['/docs/public/overview', 'Public API'],
  ['/docs/try/v3', 'Try it'],
  ['/openapi', 'Contracts'],
  ['/docs/changelog', 'Changelog'],
];

/** The links to them. */
export const navigationBar = (current?: string, more: readonly string[] = []): string => {
  const links = mainPages.map(([address, name], index) => {
    const mark = address === current ? ' aria-current="page"' : '';
    return `<a href="${address}"${mark}>${index === 0 ? `<img src="${icon}" alt="">` : ''}${name}</a>`;
  });
  return `<nav class="pages">\n${[...links, ...more].join('\n')}\n</nav>`;
};

/** The names of the APIs in titles. */
export const apiNames = { v3: 'Resource API v3', public: 'Public API v1' } as const;

interface Frame {
  readonly title: string;
  /** What the page is a part of. */
  readonly site?: string;
  /** One sentence for search engines and previews. */
  readonly description?: string;
  readonly canonical?: string;
  /** The address of the same page in Markdown. */
  readonly twin?: string;
  /** The address of a feed. */
  readonly feed?: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** The address of the entries that the search of the page looks through. Without it, the page has no search. */
  readonly searchIndex?: string;
  /** The menu beside the text, in HTML. */
  readonly menu?: string;
  /** Whether the content needs more room than a text. */
  readonly isWide?: boolean;
}

/** An element of the head, if there is a value for it. */
const ifThere = (value: string | undefined, element: (escapedValue: string) => string): string[] =>
  value === undefined ? [] : [element(escaped(value))];

const headOf = ({ title, site, description, canonical, twin, feed, previous, next }: Frame): string =>
  [
    `<title>${escaped(site && site !== title ? `${title} · ${site}` : title)}</title>`,
    ...ifThere(description, (text) => `<meta name="description" content="${text}">`),
    `<link rel="icon" href="${icon}">`,
    ...ifThere(canonical, (address) => `<link rel="canonical" href="${address}">`),
    ...ifThere(previous, (address) => `<link rel="prev" href="${address}">`),
    ...ifThere(next, (address) => `<link rel="next" href="${address}">`),
    ...ifThere(twin, (address) => `<link rel="alternate" type="text/markdown" href="${address}">`),
    ...ifThere(feed, (address) => `<link rel="alternate" type="application/atom+xml" href="${address}">`),
    '<link rel="stylesheet" href="/docs/page.css">',
    '<script type="module" src="/docs/page.js"></script>',
  ].join('\n');

const classOf = ({ menu, isWide }: Frame): string => (menu ? ' class="with-menu"' : isWide ? ' class="wide"' : '');

/** A page of the reference that no viewer makes. It fetches nothing from other hosts. */
export const framed = (frame: Frame, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headOf(frame)}
</head>
<body${classOf(frame)}>
${navigationBar(
  undefined,
  ifThere(frame.menu, () => '<a class="to-menu" href="#menu">Menu</a>'),
)}
<main${ifThere(frame.searchIndex, (address) => ` data-search="${address}"`).join('')}>
<h1>${escaped(frame.title)}</h1>
${content}
</main>
${frame.menu ?? ''}
</body>
</html>
`;

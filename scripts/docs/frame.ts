/** A card with punched holes, inlined so that the page fetches nothing. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1565c0" d="M8 3h19a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8z"/><path fill="#fff" d="M8 12h3v5H8zm6.5 0h3v5h-3zm6.5 0h3v5h-3zM8 20h3v5H8zm6.5 0h3v5h-3z"/></svg>`,
)}`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The pages that every page leads to. */
export const mainPages: readonly (readonly [address: string, name: string])[] = [
  ['/docs', 'Punchcard'],
  ['/docs/v3', 'Resource API'],
  ['/docs/public', 'Public API'],
  ['/docs/try/v3', 'Try it'],
  ['/openapi', 'Contracts'],
  ['/docs/changelog', 'Changelog'],
];

interface Frame {
  readonly title: string;
  /** The address of the same page in Markdown. */
  readonly twin?: string;
  /** The address of a feed. */
  readonly feed?: string;
  /** Whether the content needs more room than a text. */
  readonly isWide?: boolean;
}

const alternate = (type: string, address: string | undefined): string =>
  address === undefined ? '' : `<link rel="alternate" type="${type}" href="${address}">\n`;

/** A page of the reference that no viewer makes. It fetches nothing from other hosts. */
export const framed = ({ title, twin, feed, isWide = false }: Frame, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
${alternate('text/markdown', twin)}${alternate('application/atom+xml', feed)}<style>
  :root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6474; --line: #d9dee6; --paper: #fff; --card: #f6f8fb; --accent: #1565c0; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #333b48; --paper: #14181f; --card: #1c222c; --accent: #7db8ff; } }
  body { overflow-wrap: anywhere; font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', sans-serif; max-width: 50rem; margin: 0 auto; padding: 1.2rem 1.25rem 4rem; color: var(--ink); background: var(--paper); }
  body.wide { max-width: 80rem; }
  nav { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.1rem; padding-bottom: .8rem; margin-bottom: 2rem; border-bottom: 1px solid var(--line); }
  nav img { width: 1.5rem; height: 1.5rem; vertical-align: -.4rem; margin-right: .4rem; }
  nav a { text-decoration: none; }
  nav a:hover, nav a:focus-visible { text-decoration: underline; }
  h1 { font-size: 2rem; margin: 0; letter-spacing: -.02em; }
  h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
  p { margin: .6rem 0; }
  a { color: var(--accent); }
  .lead { font-size: 1.1rem; color: var(--soft); }
  .apis { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; margin: 1.8rem 0; }
  .apis a { display: block; border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.3rem; text-decoration: none; color: inherit; background: var(--card); }
  .apis a:hover, .apis a:focus-visible { border-color: var(--accent); }
  .apis strong { display: block; font-size: 1.1rem; color: var(--accent); }
  .apis code { display: block; margin-top: .6rem; color: var(--soft); font-size: .85rem; }
  ol { padding-left: 1.3rem; }
  li { margin: 1rem 0; }
  pre { background: var(--card); border: 1px solid var(--line); padding: .8rem 1rem; border-radius: .5rem; font-size: .82rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
  code { font-size: .9em; overflow-wrap: anywhere; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); font-weight: normal; overflow-wrap: anywhere; }
  th { color: var(--soft); }
</style>
</head>
<body${isWide ? ' class="wide"' : ''}>
<nav>
${mainPages.map(([address, name], index) => `<a href="${address}">${index === 0 ? `<img src="${icon}" alt="">` : ''}${name}</a>`).join('\n')}
</nav>
<h1>${title}</h1>
${content}
</body>
</html>
`;

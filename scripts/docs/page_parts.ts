import { icon, navigationBar } from './frame.ts';

/*
 * What the service adds to the pages that the viewer makes: links to the other pages, styles, and a copy button that works on
 * guides.
 */

export const barHeight = 44;

/**
 * By default, the viewer breaks names in tables anywhere, prints code too large for its column, lets its copy button lie on
 * the first line of samples, leaves half of the page empty beside texts without samples, makes a section with a rule and much
 * white of every heading of a guide, and says that a page is missing while it still looks for it.
 */
const style = `
td code, th code { word-break: normal !important; overflow-wrap: break-word !important; }
pre, pre code { font-size: 12px !important; line-height: 1.4 !important; }
.panel-request-samples pre { white-space: pre-wrap !important; overflow-wrap: anywhere; padding-right: 48px !important; }
.api-content div:has(> div + div:empty:last-child) > div:first-child { width: 100% !important; max-width: 960px; }
.api-content > div > div[id]:not([id*='/']) { padding: 40px 0 0 !important; border: 0 !important; }
.api-content > div > div[id]:has(h2.heading-anchor, h3.heading-anchor) { padding: 0 !important; border: 0 !important; }
.api-content .heading-anchor { margin: 16px 0 8px !important; font-size: 20px !important; }
.not-found-page { animation: appear 0s 6s backwards; }
@keyframes appear { from { visibility: hidden; } }
nav.pages { position: sticky; top: 0; z-index: 30; height: ${barHeight}px; box-sizing: border-box; display: flex; align-items: center; gap: 18px; padding: 0 16px; overflow-x: auto; white-space: nowrap; background: #fff; border-bottom: 1px solid #d9dee6; font: 14px system-ui, sans-serif; }
nav.pages img { height: 24px; margin-right: 6px; vertical-align: -6px; }
nav.pages a { color: #1565c0; text-decoration: none; }
nav.pages a:hover, nav.pages a:focus-visible { text-decoration: underline; }
nav.pages a[aria-current] { color: inherit; font-weight: 600; }
html.dark nav.pages { background: #14181f; border-color: #333b48; }
html.dark nav.pages a { color: #7db8ff; }
html.dark nav.pages a[aria-current] { color: #e6e9ef; }
`;

/** The viewer can copy operations, but no guides. This copies the Markdown of the guide that the button belongs to. */
const copyScript = (guides: Readonly<Record<string, string>>): string => `
import { copy } from '/docs/copy.js';
const guides = ${JSON.stringify(guides)};
addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button || button.textContent.trim() !== 'Copy') return;
  const address = guides[button.closest('div:has(h1, h2)').querySelector('h1, h2').textContent.trim()];
  if (!address) return;
  event.stopPropagation();
  await copy(await (await fetch(address)).text());
  button.title = 'Copied';
}, true);
`;

/** The page with the parts of the service. `guides` has the address of the Markdown of each guide, by its title. */
export const withParts = (api: string, html: string, guides: Readonly<Record<string, string>>): string =>
  html
    .replace(
      '</title>',
      `</title><link rel="icon" href="${icon}"><link rel="alternate" type="text/markdown" href="/docs/${api}.md"><style>${style}</style>`,
    )
    .replace(
      '<div id="redoc">',
      `${navigationBar(`/docs/${api}/overview`)}<script type="module">${copyScript(guides)}</script><div id="redoc">`,
    );

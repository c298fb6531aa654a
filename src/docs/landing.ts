import { demoCredentials } from '../demo/credentials.ts';

/** A card with punched holes, inlined so that the page fetches nothing. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1565c0" d="M8 3h19a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8z"/><path fill="#fff" d="M8 12h3v5H8zm6.5 0h3v5h-3zm6.5 0h3v5h-3zM8 20h3v5H8zm6.5 0h3v5h-3z"/></svg>`,
)}`;

interface Shown {
  readonly apiKey: string;
  readonly apiToken: string;
  readonly admin: string;
  readonly password: string;
  readonly workspace: string;
}

const demo: Shown = { ...demoCredentials, workspace: '1' };

/** Variables of the shell. The quotes end the single quotes around them. */
const own: Shown = {
  apiKey: `'"$API_KEY"'`,
  apiToken: `'"$API_TOKEN"'`,
  admin: `'"$EMAIL"'`,
  password: `'"$PASSWORD"'`,
  workspace: '$WORKSPACE',
};

const demoText = 'With the demo organisation, which the first start on your own machine creates:';
const ownText =
  'Put your own credentials into variables of the shell first: <code>API_KEY</code> from the operator of this server, <code>EMAIL</code> and <code>PASSWORD</code> of a user, and <code>API_TOKEN</code> from an account admin.';

const steps = (origin: string, { apiKey, apiToken, admin, password, workspace }: Shown): [string, string][] => [
  [
    'Sign in, and keep the token.',
    `TOKEN=$(curl -s -X POST ${origin}/api/v3/sign_in \\
  -H 'Api-Key: ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"data":{"type":"user","attributes":{
        "email":"${admin}","password":"${password}"}}}' |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  ],
  [
    'Ask who you are. The answer names your account and your workspaces.',
    `curl -s ${origin}/api/v3/users/me -H "Authorization: Bearer $TOKEN"`,
  ],
  [
    'List the areas of a workspace, by its id.',
    `curl -s ${origin}/api/v3/workspaces/${workspace}/areas -H "Authorization: Bearer $TOKEN"`,
  ],
  ['Try the other API, with its token.', `curl -s ${origin}/public_api/v1/ping -H 'Authorization: Bearer ${apiToken}'`],
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The first page of the reference: which of the two APIs to use, and first steps. `origin` is the address of the server. Where it
 * has no demo organisation, the steps use the credentials of the reader.
 */
export const landingPage = (origin: string, hasDemo: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Punchcard</title>
<link rel="icon" href="${icon}">
<style>
  :root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6474; --line: #d9dee6; --paper: #fff; --card: #f6f8fb; --accent: #1565c0; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #333b48; --paper: #14181f; --card: #1c222c; --accent: #7db8ff; } }
  body { font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', sans-serif; max-width: 50rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; color: var(--ink); background: var(--paper); }
  header { display: flex; align-items: center; gap: .8rem; }
  header img { width: 2.6rem; height: 2.6rem; }
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
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
  th { color: var(--soft); }
</style>
</head>
<body>
<header><img src="${icon}" alt=""><h1>Punchcard</h1></header>
<p class="lead">Working time, absences with approval, and users: one service, two APIs over the same records.</p>
<div class="apis">
  <a href="/docs/v3"><strong>Resource API v3</strong>For apps that people use: they sign in and act as themselves. JSON:API style, bearer tokens.<code>/api/v3</code></a>
  <a href="/docs/public"><strong>Public API v1</strong>For systems that synchronise data, such as payroll and HR: one token for a whole enterprise.<code>/public_api/v1</code></a>
</div>
<h2>Five minutes in a terminal</h2>
<p>${hasDemo ? demoText : ownText}</p>
<ol>
${steps(origin, hasDemo ? demo : own)
  .map(([text, command]) => `<li>${text}<pre>${escaped(command)}</pre></li>`)
  .join('\n')}
</ol>
<h2>From here</h2>
<table>
<tr><th>Common tasks, step by step</th><td><a href="/docs/v3#tag/Workflows">Workflows</a></td></tr>
<tr><th>A typed client, and tested generators</th><td><a href="/docs/v3#tag/Clients">Clients</a></td></tr>
<tr><th>Paging, filters, related records</th><td><a href="/docs/v3#tag/Collections">Collections</a></td></tr>
<tr><th>What went wrong, and what to do</th><td><a href="/docs/v3#tag/Errors">Errors</a></td></tr>
<tr><th>v1 and v3 side by side</th><td><a href="/docs/v3#tag/Two-APIs">Two APIs</a></td></tr>
</table>
<h2>The contracts</h2>
<p>OpenAPI 3.1. The service validates requests against them. You can generate clients from them.</p>
<table>
<tr><th>Resource API</th><td><a href="/openapi/v3.json">v3.json</a></td><td><a href="/openapi/v3.yaml">v3.yaml</a></td></tr>
<tr><th>Public API</th><td><a href="/openapi/public.json">public.json</a></td><td><a href="/openapi/public.yaml">public.yaml</a></td></tr>
</table>
</body>
</html>
`;

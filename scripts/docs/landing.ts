import { demoCredentials } from '../../src/programs/demo/credentials.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { escaped, framed } from './frame.ts';

interface Shown {
  readonly apiKey: string;
  readonly apiToken: string;
  readonly admin: string;
  readonly password: string;
}

/** Variables of the shell. The quotes end the single quotes around them. */
const own: Shown = {
  apiKey: `'"$API_KEY"'`,
  apiToken: `'"$API_TOKEN"'`,
  admin: `'"$EMAIL"'`,
  password: `'"$PASSWORD"'`,
};

const demoText = 'With the demo organisation, which the first start on your own machine creates:';
/** In Markdown. */
export const ownText =
  'Put your own credentials into variables of the shell first: `API_KEY` from the operator of this server, `EMAIL` and `PASSWORD` of a user, and `API_TOKEN` from an account admin.';

/** Takes a member out of the JSON that a command gets. Node.js is there where the service is. */
const reading = (member: string): string => `node -p 'JSON.parse(fs.readFileSync(0)).${member}'`;

/** First steps in a terminal, with the demo organisation or with the credentials of the reader. */
export const firstSteps = (hasDemo: boolean): [string, string][] => steps(hasDemo ? demoCredentials : own);

const steps = ({ apiKey, apiToken, admin, password }: Shown): [string, string][] => [
  [
    'Sign in, and keep the token.',
    `TOKEN=$(curl -s -X POST ${sampleOrigin}/api/v3/sign_in \\
  -H 'Api-Key: ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"data":{"type":"user","attributes":{
        "email":"${admin}","password":"${password}"}}}' |
  ${reading('data.attributes.access_token')})`,
  ],
  [
    'Ask who you are. The answer names your account and your workspaces. Keep the id of the first one.',
    `WORKSPACE=$(curl -s ${sampleOrigin}/api/v3/users/me -H "Authorization: Bearer $TOKEN" |
  ${reading('data.relationships.workspaces.data[0].id')})`,
  ],
  [
    'List the areas of that workspace.',
    `curl -s ${sampleOrigin}/api/v3/workspaces/$WORKSPACE/areas -H "Authorization: Bearer $TOKEN"`,
  ],
  [
    'Try the other API, with its token.',
    `curl -s ${sampleOrigin}/public_api/v1/ping -H 'Authorization: Bearer ${apiToken}'`,
  ],
];

/**
 * The first page of the reference: which of the two APIs to use, and first steps. Without a demo organisation, the steps use the
 * credentials of the reader.
 */
export const landingPage = (hasDemo: boolean): string =>
  framed(
    { title: 'Punchcard', twin: '/docs.md' },
    `<p class="lead">Working time, absences with approval, time accounts, shifts and payroll: one service, two APIs over the same records, and webhooks that tell other systems what happened.</p>
<div class="apis">
  <a href="/docs/v3/overview"><strong>Resource API v3</strong>For apps that people use: they sign in and act as themselves. JSON:API style, bearer tokens.<code>/api/v3</code></a>
  <a href="/docs/public/overview"><strong>Public API v1</strong>For systems that synchronise data, such as payroll and HR: one token for a whole enterprise.<code>/public_api/v1</code></a>
</div>
<h2>Five minutes in a terminal</h2>
<p>${hasDemo ? demoText : ownText.replaceAll(/`(.*?)`/g, '<code>$1</code>')}</p>
<ol class="steps">
${firstSteps(hasDemo)
  .map(([text, command]) => `<li>${text}<pre>${escaped(command)}</pre></li>`)
  .join('\n')}
</ol>
<h2>From here</h2>
<table>
<tr><th>Common tasks, step by step</th><td><a href="/docs/v3/guides/workflows">Workflows</a>, <a href="/docs/v3/guides/a-payroll-month">a payroll month</a></td></tr>
<tr><th>Punch, and know why a time was refused</th><td><a href="/docs/v3/guides/punching">Punching</a>, <a href="/docs/v3/guides/why-was-my-time-refused">refusals</a></td></tr>
<tr><th>What was worked, what was owed, and the balance</th><td><a href="/docs/v3/guides/how-time-accounts-work">Time accounts</a></td></tr>
<tr><th>Confirm and close a month, and correct it</th><td><a href="/docs/v3/guides/protection-and-closing">Closing</a></td></tr>
<tr><th>DATEV, CSV and XLSX</th><td><a href="/docs/v3/guides/files-for-payroll">Files for payroll</a></td></tr>
<tr><th>Be told about events, or read what is new</th><td><a href="/docs/v3/guides/webhooks-and-signatures">Webhooks</a>, <a href="/docs/v3/guides/receive-a-webhook-on-your-machine">one on your machine</a>, <a href="/docs/v3/guides/following-changes">changes</a></td></tr>
<tr><th>A typed client, and tested generators</th><td><a href="/docs/v3/guides/the-typescript-client">TypeScript</a>, <a href="/docs/v3/guides/clients">clients</a></td></tr>
<tr><th>Let an assistant ask</th><td><a href="/docs/v3/guides/use-it-from-an-assistant-mcp">Assistants (MCP)</a></td></tr>
<tr><th>Paging, filters, related records</th><td><a href="/docs/v3/guides/collections">Collections</a></td></tr>
<tr><th>What went wrong, and what to do</th><td><a href="/docs/v3/guides/errors">Errors</a></td></tr>
<tr><th>v1 and v3 side by side</th><td><a href="/docs/v3/guides/two-apis">Two APIs</a></td></tr>
</table>
<h2>The contracts</h2>
<p>OpenAPI 3.1. The service validates requests against them. You can generate clients from them.</p>
<table>
<tr><th>Resource API</th><td><a href="/openapi/v3.json">v3.json</a></td><td><a href="/openapi/v3.yaml">v3.yaml</a></td></tr>
<tr><th>Public API</th><td><a href="/openapi/public.json">public.json</a></td><td><a href="/openapi/public.yaml">public.yaml</a></td></tr>
</table>`,
  );

/** The first page of the reference: which of the two APIs to take, and how to begin. */
export const landingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Punchcard</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1.2rem; color: #222; }
  h1 { font-size: 2rem; margin-bottom: .2rem; }
  a { color: #1565c0; }
  .apis { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; margin: 1.5rem 0; }
  .apis a { display: block; border: 1px solid #ccc; border-radius: .5rem; padding: 1rem 1.2rem; text-decoration: none; color: inherit; }
  .apis a:hover { border-color: #1565c0; }
  .apis strong { display: block; color: #1565c0; }
  pre { background: #f5f5f5; padding: 1rem; overflow-x: auto; border-radius: .5rem; font-size: .85rem; }
</style>
</head>
<body>
<h1>Punchcard</h1>
<p>Working time, absences with approval, and the people behind them: one service, two APIs over the same records.</p>
<div class="apis">
  <a href="/docs/v3"><strong>Resource API v3</strong>For apps that people use: they sign in and act as themselves. JSON:API style, bearer tokens.</a>
  <a href="/docs/public"><strong>Public API v1</strong>For systems that keep data in step, such as payroll and HR: one token for a whole enterprise.</a>
</div>
<h2>Five minutes</h2>
<p>Sign in. The answer holds your <code>access_token</code>.</p>
<pre>curl -s -X POST localhost:3000/api/v3/sign_in \\
  -H 'Api-Key: demo-api-key' -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"user","attributes":{"email":"admin@example.com","password":"demo-password"}}}'</pre>
<p>Ask who you are. The answer names your account and your workspaces.</p>
<pre>curl -s localhost:3000/api/v3/users/me -H 'Authorization: Bearer ACCESS_TOKEN'</pre>
<p>List the areas of a workspace.</p>
<pre>curl -s localhost:3000/api/v3/workspaces/WORKSPACE_ID/areas -H 'Authorization: Bearer ACCESS_TOKEN'</pre>
<p>Try the public API's token.</p>
<pre>curl -s 'localhost:3000/public_api/v1/ping?api_token=demo-api-token'</pre>
<h2>The contracts</h2>
<p>OpenAPI 3.1, for generating clients: <a href="/openapi/v3.json">v3.json</a>, <a href="/openapi/v3.yaml">v3.yaml</a>, <a href="/openapi/public.json">public.json</a>, <a href="/openapi/public.yaml">public.yaml</a>.</p>
</body>
</html>
`;

/** Answers both contracts from their examples, for people who write clients. */
import { parseArgs } from 'node:util';
import { mockServer } from './mock_server.ts';

const help = `npm run mock                    answer both contracts from their examples, at 127.0.0.1:3001
npm run mock -- --port PORT     at another port
npm run mock -- --help          show this

Any credential is accepted. The header "Prefer: code=404" asks for the example of another status.`;

const { values } = parseArgs({
  options: { port: { type: 'string', default: '3001' }, help: { type: 'boolean', default: false } },
});
const port = Number(values.port);
if (values.help) console.log(help);
else if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port must be a whole number from 0 to 65535, but was "${values.port}".`);
  process.exitCode = 1;
} else {
  const server = await mockServer();
  server.on('error', (error) => {
    console.error(`The mock cannot listen on port ${values.port}: ${error.message}.`);
    process.exitCode = 1;
  });
  server.listen(port, '127.0.0.1', () => {
    const address = `http://127.0.0.1:${values.port}`;
    console.log(`Examples instead of data: ${address}/api/v3 and ${address}/public_api/v1.`);
    console.log(`Try: curl ${address}/api/v3/users/me -H 'Authorization: Bearer any'`);
  });
}

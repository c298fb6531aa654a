/* Runs a collection, and prints the status of every request and the assertions that failed, as JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , packages, collection, environment] = process.argv;
const newman = createRequire(`${packages}/package.json`)('newman');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const operationOf = ({ item }) => /pm\.test\('(\w+)/.exec(item.events.all()[0].script.exec.join('\n'))[1];

newman.run({ collection: read(collection), environment: read(environment) }, (error, summary) => {
  if (error) throw error;
  const executions = summary.run.executions.map((one) => [operationOf(one), one.response ? one.response.code : 0]);
  const failures = summary.run.failures.map(({ error: failed, source }) => `${source?.name}: ${failed.message}`);
  console.log(JSON.stringify({ executions, failures }));
});

import { readConfig } from '../platform/config.ts';

/*
 * Asks the server of this container or machine whether it is ready, and exits with 0 or 1. For health checks of containers,
 * where neither curl nor a shell can be expected.
 */
const address = `http://127.0.0.1:${readConfig().port}/health/ready`;
fetch(address, { signal: AbortSignal.timeout(2_500) })
  .then(
    ({ ok }) => ok,
    () => false,
  )
  .then((isReady) => {
    if (!isReady) console.error(`${address} does not report that the server is ready.`);
    process.exit(isReady ? 0 : 1);
  });

import net from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { invalid } from '../../../src/platform/core/errors.ts';
import { adviceOn } from '../../../src/programs/process/failures.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('adviceOn', () => {
  it('names the setting for a port that is taken', async () => {
    const first = net.createServer();
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const { port } = first.address() as net.AddressInfo;
    const error = await failureOf(
      new Promise((_resolve, reject) => net.createServer().once('error', reject).listen(port, '127.0.0.1')),
    );
    first.close();
    expect(adviceOn(error)).toBe(
      `Another program already listens on 127.0.0.1:${port}. Stop it, or choose another port with PORT, for example PORT=3001 npm start.`,
    );
  });

  it('names the setting for a database server that does not answer', async () => {
    const error = await failureOf(
      new pg.Client({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' }).connect(),
    );
    expect(adviceOn(error)).toMatch(
      /^Nothing answers at 127\.0\.0\.1:1\. Start PostgreSQL there, or correct DATABASE_URL/,
    );
  });

  it('repeats the title of a refusal', () => {
    expect(adviceOn(invalid('taken', 'email', 'email is taken.'))).toBe('email is taken.');
  });
});

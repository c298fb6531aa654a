import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { tokenHolders } from '../../src/auth/token_holders.ts';
import { noWorkspaceId } from '../../src/core/ids.ts';
import { tokenHash } from '../../src/core/secrets.ts';
import { isDistributed } from '../support/database/distribution.ts';
import { statementsDuring } from '../support/database/statements.ts';
import { serviceWith } from '../support/service.ts';
import { newWorld, type Person } from '../support/world.ts';

const requestCount = 40;

describe('GATHER_CREDENTIALS', () => {
  it.each([
    ['on', (lookUps: number) => expect(lookUps).toBeLessThan(requestCount)],
    ['off', (lookUps: number) => expect(lookUps).toBe(requestCount)],
  ])('%s: each of many requests at once is answered for its own user', async (setting, expectLookUps) => {
    const [here, elsewhere] = [await newWorld(), await newWorld()];
    const people: Person[] = [];
    for (let number = 0; number < requestCount; number++)
      people.push(await (number % 3 === 0 ? elsewhere : here).addMember('employee', `Holder ${number}`));
    const url = await serviceWith({ GATHER_CREDENTIALS: setting });
    const answers: unknown[] = [];
    const lookUps = await statementsDuring(async () => {
      answers.push(
        ...(await askAtOnce(
          url,
          people.map(({ token }) => token),
        )),
      );
    }, /from "?access_tokens/);
    expect(answers).toEqual(people.map(({ id }) => [200, String(id)]));
    expectLookUps(lookUps);
    const mixed = await askAtOnce(url, [people[0]!.token, 'nobody', people[1]!.token]);
    expect(mixed.map(([status]) => status)).toEqual([200, 401, 200]);
  });
});

/** Asks who the holders are, with requests that arrive in one piece. Each answer is a status and the id of a user. */
async function askAtOnce(url: string, tokens: readonly string[]): Promise<(readonly [number, string | undefined])[]> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    tokens
      .map((token, index) => {
        const connection = index === tokens.length - 1 ? 'close' : 'keep-alive';
        return `GET /api/v3/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: ${connection}\r\n\r\n`;
      })
      .join(''),
  );
  const answers = (await text(socket)).split('HTTP/1.1 ').slice(1);
  return answers.map((answer) => {
    const { data } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { data?: { id: string } };
    return [Number(answer.slice(0, 3)), data?.id];
  });
}

/** The statement about all accounts can be sent to one server only. */
const kinds = [
  ...(isDistributed ? [] : [['in one statement', async () => false] as const]),
  ['account by account, where rows are distributed', async () => true],
] as const;

describe.each(kinds)('tokenHolders %s', (_way, distributes) => {
  it('finds the same token in several workspaces at once, and nobody behind an unknown one', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const find = tokenHolders(world.db, { gather: true, isDistributed: distributes });
    const hash = tokenHash(world.employee.token);
    const found = await Promise.all([
      find({ hash, workspaceId: world.workspaceId }),
      find({ hash: tokenHash('nobody'), workspaceId: world.workspaceId }),
      find({ hash, workspaceId: other.workspaceId }),
      find({ hash, workspaceId: noWorkspaceId }),
    ]);
    expect(found.map((actor) => [actor?.userId, actor?.workspace?.id])).toEqual([
      [world.employee.id, world.workspaceId],
      [undefined, undefined],
      [world.employee.id, undefined],
      [world.employee.id, undefined],
    ]);
  });

  it('passes on a failure of the database, and works again', async () => {
    const world = await newWorld();
    const find = tokenHolders(world.db, { gather: true, isDistributed: distributes });
    const token = { hash: tokenHash(world.admin.token), workspaceId: noWorkspaceId };
    await expect(find({ hash: '\u0000', workspaceId: noWorkspaceId })).rejects.toThrow();
    expect((await find(token))?.userId).toBe(world.admin.id);
  });

  it('finds users of several accounts at once, each with the same rights as alone', async () => {
    const [here, there] = [await newWorld(), await newWorld()];
    const people = [here.admin, there.employee, here.employee, there.admin];
    const workspaceIds = [here, there, here, there].map(({ workspaceId }) => workspaceId);
    const tokens = people.map(({ token }, index) => ({ hash: tokenHash(token), workspaceId: workspaceIds[index]! }));
    const together = tokenHolders(here.db, { gather: true, isDistributed: distributes });
    const alone = tokenHolders(here.db, { gather: false, isDistributed: async () => isDistributed });
    const found = await Promise.all(tokens.map(together));
    expect(found.map((actor) => actor?.userId)).toEqual(people.map(({ id }) => id));
    expect(found).toEqual(await Promise.all(tokens.map(alone)));
  });
});

describe('tokenHolders account by account', () => {
  it('finds holders although those of another account cannot be found', async () => {
    const [here, there] = [await newWorld(), await newWorld()];
    const find = tokenHolders(here.db, { gather: true, isDistributed: async () => true });
    const found = await Promise.allSettled([
      find({ hash: tokenHash(here.admin.token), workspaceId: here.workspaceId }),
      // The database refuses a number of this size.
      find({ hash: tokenHash(there.admin.token), workspaceId: 2 ** 70 }),
    ]);
    expect(found).toMatchObject([{ value: { userId: here.admin.id } }, { status: 'rejected' }]);
  });
});

import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { assistantOf, assistantOver } from '../../support/mcp/assistant.ts';
import { freshBuild } from '../../support/processes/fresh_build.ts';
import { runProgram } from '../../support/processes/process.ts';
import { service } from '../../support/service.ts';
import { newWorld } from '../../support/world.ts';

/** An assistant that starts the program and talks to it over its input and output. */
const startedBy = (environment: Record<string, string>) =>
  assistantOver(
    new StdioClientTransport({ command: process.execPath, args: ['dist/mcp.js'], env: environment, stderr: 'ignore' }),
  );

describe('npm run mcp', () => {
  it('has the tools of the server, with the rights of the token', async () => {
    await freshBuild();
    const { employee } = await newWorld();
    const { url } = await service();
    const { client, use } = await startedBy({ PUNCHCARD_URL: `${url}/`, PUNCHCARD_TOKEN: employee.token });
    expect(await client.listTools()).toEqual(await (await assistantOf(employee)).client.listTools());
    expect((await use('who_am_i')).body!.data.id).toBe(String(employee.id));
    expect(await use('get_person')).toMatchObject({
      isError: true,
      text: 'workspace_id is required. user_id is required.',
    });
  });

  it('says why the server refuses, or that it is not there', async () => {
    await freshBuild();
    const { url } = await service();
    await expect(startedBy({ PUNCHCARD_URL: url, PUNCHCARD_TOKEN: 'nonsense' })).rejects.toThrow('valid credential');
    await expect(startedBy({ PUNCHCARD_URL: 'http://127.0.0.1:1', PUNCHCARD_TOKEN: 'any' })).rejects.toThrow(
      'fetch failed',
    );
  });

  it('needs a token', async () => {
    expect(await runProgram('mcp', [], {})).toEqual({
      code: 1,
      output: 'Set PUNCHCARD_TOKEN to the access token of a user, which signIn returns.\n',
    });
  });
});

import express, { type Request, type Response } from 'express';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpServer } from '../../../../src/platform/http/server/server.ts';

setFlagsFromString('--allow-natives-syntax');
/** Whether V8 gives two objects the same hidden class, so that optimised code for the one works for the other. */
const isSameKind = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

describe('requests and answers', () => {
  it('have one hidden class each, and the methods of Express', async () => {
    const seen: [Request, Response][] = [];
    const app = express().use((req, res) => {
      seen.push([req, res]);
      res.json([req.path, req.get('X-Word'), req.app === app && res.app === app]);
    });
    const server = httpServer(app, 'test');
    onTestFinished(() => server.close(0));
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    for (const word of ['one', 'two', 'three']) {
      expect(await (await fetch(`${url}/path`, { headers: { 'X-Word': word } })).json()).toEqual(['/path', word, true]);
    }
    const [[request, response], [nextRequest, nextResponse]] = [seen[1]!, seen[2]!];
    await expect.poll(() => isSameKind(request, nextRequest) && isSameKind(response, nextResponse)).toBe(true);
  });
});

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { uploadMemory, type Sender } from '../../../../src/platform/http/security/upload_memory.ts';

describe('the memory for uploads', () => {
  /** Starts a form of so many bytes. Returns the status that it was refused with, and how to end it. */
  async function begin(memory: ReturnType<typeof uploadMemory>, sender: Sender, bytes: number) {
    const req = new PassThrough();
    const res = Object.assign(new EventEmitter(), { set: () => {} });
    let status: number | undefined;
    memory(req as unknown as Request, res as unknown as Response, sender, (error) => {
      status = (error as Error & { status: number }).status;
    });
    req.resume();
    req.write(Buffer.alloc(bytes));
    await new Promise((resolve) => setImmediate(resolve));
    return { status, end: () => res.emit('close') };
  }

  it('leaves half of it to other accounts, and frees it after the answer', async () => {
    const memory = uploadMemory(100);
    const [one, other] = [{ accountId: 1 }, { accountId: 2 }];
    const first = await begin(memory, one, 40);
    expect(first.status).toBeUndefined();
    expect((await begin(memory, one, 11)).status).toBe(503);
    expect((await begin(memory, one, 51)).status).toBe(413);
    const second = await begin(memory, other, 50);
    expect(second.status).toBeUndefined();
    // All of it is used.
    expect((await begin(memory, { accountId: 3 }, 11)).status).toBe(503);
    first.end();
    expect((await begin(memory, one, 50)).status).toBeUndefined();
  });

  it('leaves a quarter of it to unknown senders together', async () => {
    const memory = uploadMemory(100);
    expect((await begin(memory, 'unknown', 20)).status).toBeUndefined();
    expect((await begin(memory, 'unknown', 6)).status).toBe(503);
    expect((await begin(memory, { accountId: 1 }, 50)).status).toBeUndefined();
  });
});

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { uploadMemory, type Sender } from '../../src/http/security/upload_memory.ts';
import { uploadPace } from '../../src/http/security/upload_pace.ts';

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

describe('the pace of uploads', () => {
  const paceAt = (bytesPerSecond: number) => {
    let now = 1_000;
    return { pace: uploadPace(bytesPerSecond, { clock: () => now }), pass: (ms: number) => void (now += ms) };
  };

  it('lets a form wait until the earlier ones of its sender are paid off, and nobody else', () => {
    const { pace, pass } = paceAt(100);
    expect([pace(1, 50), pace(1, 200), pace(1, 10)]).toEqual([0, 500, 2_500]);
    expect([pace(2, 50), pace('192.0.2.1', 50)]).toEqual([0, 0]);
    pass(2_550);
    expect(pace(1, 10)).toBe(50);
    pass(10_000);
    expect(pace(1, 10)).toBe(0);
  });

  it('503 for a wait of more than 30 seconds, which costs nothing', () => {
    const { pace, pass } = paceAt(100);
    expect([pace(1, 3_000), pace(1, 1)]).toEqual([0, 30_000]);
    expect(() => pace(1, 1)).toThrow(expect.objectContaining({ status: 503 }));
    pass(10);
    expect(pace(1, 1)).toBe(30_000);
  });

  it('is unlimited at 0', () => {
    const { pace } = paceAt(0);
    expect([pace(1, 1e9), pace(1, 1e9)]).toEqual([0, 0]);
  });
});

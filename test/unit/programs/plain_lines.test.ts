import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { plainLine } from '../../../src/programs/process/plain_lines.ts';

describe('the log at a terminal', () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(plainLine(line)) });
  const last = () => lines.at(-1)!;

  it('says what happens, with the time', () => {
    log.info('Opening the database.');
    expect(last()).toMatch(/^\d\d:\d\d:\d\d Opening the database\.\n$/);
    log.warn('Row-level security is off.');
    expect(last()).toMatch(/^\d\d:\d\d:\d\d WARNING Row-level security is off\.\n$/);
  });

  it('names a request, its status and its duration', () => {
    const facts = { req: { id: 'a', method: 'GET', url: '/docs' }, res: { status: 404 }, responseTime: 12 };
    log.warn(facts, 'request completed');
    expect(last()).toMatch(/^\d\d:\d\d:\d\d GET \/docs 404 in 12 ms\n$/);
    log.error({ ...facts, err: new Error('broken') }, 'request completed');
    expect(last()).toMatch(/ERROR GET \/docs 404 in 12 ms\nError: broken\n {4}at /);
  });
});

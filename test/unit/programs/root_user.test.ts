import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/config.ts';
import { warnAboutRoot } from '../../../src/programs/process/root_user.ts';

describe('warnAboutRoot', () => {
  it.each([
    { NODE_ENV: 'production', userId: 0, warnings: 1 },
    { NODE_ENV: 'production', userId: 1000, warnings: 0 },
    { NODE_ENV: 'development', userId: 0, warnings: 0 },
  ])('warns $warnings times with NODE_ENV=$NODE_ENV as user $userId', ({ NODE_ENV, userId, warnings }) => {
    const lines: string[] = [];
    warnAboutRoot(readConfig({ NODE_ENV }), { warn: (line: string) => void lines.push(line) }, userId);
    expect(lines).toHaveLength(warnings);
  });
});

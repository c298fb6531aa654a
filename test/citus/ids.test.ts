import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { onAllServers } from '../support/database/distribution.ts';
import { service } from '../support/service.ts';

describe('the ids that servers draw by themselves', () => {
  it('are distinct, grow with time and are exact as JSON numbers', async () => {
    const { db } = (await service()).database;
    /** As many as a server draws in a hundredth of a second at most. */
    const draw = async (): Promise<number[]> => {
      const texts = await onAllServers(
        db,
        `select string_agg(next_id('id_counter')::text, ',') from generate_series(1, 2000)`,
      );
      return texts.flatMap((text) => text.split(',').map(Number));
    };
    const earlier = await draw();
    await pause(20);
    const later = await draw();
    expect(new Set([...earlier, ...later]).size).toBe(2 * 4 * 2000);
    expect(Math.max(...earlier)).toBeLessThan(Math.min(...later));
    expect(Math.max(...later)).toBeLessThan(10 ** 15);
  });
});

import { describe, expect, it } from 'vitest';
import { call } from '../../../support/client.ts';

describe('getStatus', () => {
  it('204 without a body, for everybody', async () => {
    for (const headers of [{}, { Authorization: 'Bearer nonsense' }]) {
      const response = await call('v3', 'getStatus', { headers: headers as Record<string, string> });
      expect(response.status).toBe(204);
      expect(response.text).toBe('');
    }
  });
});

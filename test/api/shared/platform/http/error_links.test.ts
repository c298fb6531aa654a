import { describe, expect, it } from 'vitest';
import { serviceWith } from '../../../../support/service.ts';
import { referencePages } from '../../../../../scripts/docs/reference_pages.ts';
import { headingId } from '../../../../../scripts/docs/guides.ts';
import { pageAddress } from '../../../../../scripts/docs/links.ts';
import { readContract, wordsOf } from '../../../../../src/platform/http/contract_document.ts';

const linkIn = async (address: string): Promise<string> =>
  ((await (await fetch(address)).json()) as { errors: [{ links: { about: string } }] }).errors[0].links.about;

describe('links.about of a problem', () => {
  it('is the entry of its code in the catalogue, at the address that the caller used', async () => {
    const url = await serviceWith({});
    const catalogue = `${url}/docs/v3/guides/error-codes`;
    expect(await linkIn(`${url}/api/v3/users/me`)).toBe(`${catalogue}#unauthenticated`);
    expect(await linkIn(`${url}/public_api/v1/users`)).toBe(`${catalogue}#unauthenticated`);
    expect(await linkIn(`${url}/api/v3/nothing`)).toBe(`${catalogue}#unknown_path`);
    expect(await linkIn(`${url}/nothing`)).toBe(`${catalogue}#unknown_path`);
  });

  it('begins with PUBLIC_URL where that is set', async () => {
    const url = await serviceWith({ PUBLIC_URL: 'https://time.example.com' });
    expect(await linkIn(`${url}/public_api/v1/users`)).toBe(
      'https://time.example.com/docs/v3/guides/error-codes#unauthenticated',
    );
  });

  it('leads to an entry for every code', () => {
    const address = pageAddress({ api: 'v3', kind: 'tag', name: 'Error codes' });
    expect(address).toBe('/docs/v3/guides/error-codes');
    const text = referencePages('v3')
      .find((page) => page.address === address)!
      .text();
    const ids = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => headingId(heading!));
    expect(ids).toEqual(wordsOf(readContract('v3'), 'ErrorCode'));
  });
});

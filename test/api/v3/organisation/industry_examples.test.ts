import { describe, expect, it } from 'vitest';
import { newWorld } from '../../../support/world.ts';

describe('listIndustryExamples', () => {
  it('200 lists the same to everybody, by id', async () => {
    const { employee, stranger } = await newWorld();
    const [one, other] = [await employee.call('listIndustryExamples'), await stranger.call('listIndustryExamples')];
    expect(one.status).toBe(200);
    expect(one.body.data).toEqual(other.body.data);
    const ids = one.body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain('choose_your_industry');
    expect(ids).toEqual([...ids].sort());
    expect(one.body.data.find(({ id }: { id: string }) => id === 'choose_your_industry')).toEqual({
      type: 'industry_example',
      id: 'choose_your_industry',
      attributes: { name: 'choose_your_industry', label: 'Choose your industry' },
    });
  });

  it('200 filtered by its word-like id, paged, and with chosen fields', async () => {
    const { employee } = await newWorld();
    const { body } = await employee.call('listIndustryExamples', {
      query: { 'filter[id]': 'eq:choose_your_industry', fields: 'label' },
    });
    expect(body.data).toEqual([
      {
        type: 'industry_example',
        id: 'choose_your_industry',
        attributes: { label: 'Choose your industry' },
        relationships: {},
      },
    ]);
    const second = await employee.call('listIndustryExamples', { query: { items: 2, page: 2 } });
    expect(second.body.data).toHaveLength(2);
    expect(second.body.meta).toMatchObject({ current_page: 2, page_items: 2 });
  });

  it('400 for an invalid page', async () => {
    expect((await (await newWorld()).employee.call('listIndustryExamples', { query: { items: 'many' } })).status).toBe(
      400,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../../../support/world.ts';

describe('listRoles', () => {
  it('200 lists the four roles, in the language of the workspace', async () => {
    const { admin, employee } = await newWorld();
    const roles = async () =>
      (await employee.call('listRoles')).body.data.map(
        (role: { id: string; attributes: { name: string; localized_name: string } }) => [
          role.id,
          role.attributes.name,
          role.attributes.localized_name,
        ],
      );
    expect(await roles()).toEqual([
      ['1', 'employee', 'Mitarbeiter'],
      ['2', 'working_area_admin', 'Bereichsadministrator'],
      ['3', 'workspace_admin', 'Arbeitsplatzadministrator'],
      ['4', 'account_admin', 'Kontoadministrator'],
    ]);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { locale: 'en' }) });
    expect((await roles())[1]).toEqual(['2', 'working_area_admin', 'Area administrator']);
  });

  it('200 filtered and sorted', async () => {
    const { employee } = await newWorld();
    const { body } = await employee.call('listRoles', {
      query: { 'filter[name]': 'suf:ADMIN', sort: '-id', items: 2 },
    });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['4', '3']);
    expect(body.meta).toMatchObject({ total_count: 3, total_pages: 2 });
  });

  it('400 for an invalid page, 404 for a stranger', async () => {
    const { employee, stranger } = await newWorld();
    expect((await employee.call('listRoles', { query: { outset: 'x' } })).status).toBe(400);
    expect((await stranger.call('listRoles')).status).toBe(404);
  });
});

import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** Absences with all that hangs on them, and entitlements. */
export async function makeAbsences(
  { world, mark, named, imageIn, asked, made }: Maker,
  { ids: { user }, areaAdmin }: Organisation,
) {
  const { admin, employee, enterprise, db, accountId } = world;
  const absence_type = await world.absenceType('vacation');
  await db
    .updateTable('absence_types')
    .set({ external_id: named('absence_type'), title: mark })
    .where('account_id', '=', accountId)
    .where('id', '=', absence_type)
    .execute();
  const newAbsence = async (external_id: string): Promise<number> => {
    const holidays = { starts_at: '2026-03-02', ends_at: '2026-03-06', full_day: true };
    const absence = { ...holidays, absence_type_id: absence_type, user_id: user, external_id };
    return (await enterprise('createPublicAbsence', { body: { absence } })).body.id;
  };
  const absence = await newAbsence(named('absence'));
  const onAbsence = { params: { absence_id: absence } };
  const absence_note = await made('createAbsenceNote', { ...onAbsence, body: bodyOf('note', { content: mark }) });
  const files = { ...onAbsence, files: [imageIn('files')] };
  const absence_attachment = (await asked(admin, 'createAbsenceAttachments', files)).data[0].id;
  // Confirming an absence that has a follower notifies both users.
  const request = {
    absence_type_id: absence_type,
    title: mark,
    starts_at: '2026-05-04T00:00:00+02:00',
    ends_at: '2026-05-04T23:59:59+02:00',
    follower_ids: [areaAdmin.id],
  };
  const followed = await asked(employee, 'createAbsence', { body: bodyOf('absence', request) });
  await asked(admin, 'confirmAbsence', { params: { absence_id: followed.data.id } });
  const deleted_absence = await newAbsence(`${mark}-3`);
  await asked(admin, 'deleteAbsence', { params: { absence_id: deleted_absence } });
  const entitled = async (): Promise<number> => {
    const body = { vacation_times: { title: mark, user_id: user, planned_days: 28 } };
    return (await enterprise('createVacationEntitlement', { body })).body.vacation_times[0].id;
  };
  return {
    ids: {
      ...{ absence_type, absence, absence_note, absence_attachment, deleted_absence },
      vacation_entitlement: await entitled(),
    },
    spare: { absence: await newAbsence(`${mark}-2`), vacation_entitlement: await entitled() },
  };
}

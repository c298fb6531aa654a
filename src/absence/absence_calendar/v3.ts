import * as fields from '../../../generated/fields.ts';
import { one, resource } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { findAbsentUsers, type AbsentUser as Row } from './absence_calendar.ts';

const absentUser = resource('absent_user', fields.AbsentUser);

const presentAbsentUser = ({ id, username, dates, halves }: Row) =>
  absentUser(
    { id, username, days: dates.map((date, index) => ({ date, part: partOf(halves[index]!) })) },
    { user: one('user', id) },
  );

const partOf = (halves: number): Schemas['AbsentDay']['part'] =>
  halves >= 2 ? 'whole' : halves === 1 ? 'half' : 'hours';

export const absenceCalendarHandlers = v3.part({
  async getAbsenceCalendar({ db, actor, query }) {
    return { data: (await findAbsentUsers(db, actor, query)).map(presentAbsentUser) };
  },
});

import { AbsencesService, AbsenceTypesService, OpenAPI as Enterprise, UsersService } from './public';
import {
  type Action,
  ActionsService,
  ActionType,
  ApiError,
  AreasService,
  AuthenticationService,
  type Errors,
  OpenAPI,
  TimeTrackingsService,
  UserListsService,
} from './v3';

/** This generator treats the default response as a possible success. */
function answerOf<Body extends object>(body: Body | Errors): Exclude<Body, Errors> {
  if ('errors' in body) throw new Error('An error where an answer was expected.');
  return body as Exclude<Body, Errors>;
}

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
OpenAPI.BASE = `${url}/api/v3`;
OpenAPI.HEADERS = { 'Api-Key': 'demo-api-key' };
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const signedIn = answerOf(await AuthenticationService.signIn({ requestBody: { data: { type: 'user', attributes } } }));
OpenAPI.TOKEN = signedIn.data.attributes.access_token;

const workspaceId = '1';
const nobody = answerOf(await UserListsService.listUsers({ workspaceId, filterUsername: 'ct:erin & co', items: 5 }));
const found = answerOf(await UserListsService.listUsers({ workspaceId, filterUsername: 'ct:erin', items: 5 }));
const worked = answerOf(await TimeTrackingsService.listTimeTrackings({ workspaceId, filterStartsAt: month }));
const areas = answerOf(await AreasService.listAreas({ workspaceId }));

const punch = async (action_type: ActionType): Promise<Action> => {
  const requestBody = { data: { type: 'action', attributes: { action_type } } } as const;
  return answerOf(await ActionsService.createAction({ workspaceId, requestBody })).data;
};
const punches = [await punch(ActionType.START), await punch(ActionType.END)];
const refused = await punch(ActionType.END).then(
  () => undefined,
  (error: unknown) => (error instanceof ApiError ? (error.body as Errors).errors[0]?.source.pointer : undefined),
);

Enterprise.BASE = `${url}/public_api/v1`;
Enterprise.TOKEN = 'demo-api-token';
const page = answerOf(await UsersService.findPublicUsers({ page: 1 }));
const types = answerOf(await AbsenceTypesService.findAbsenceTypes({}));
if (!('users' in page) || !('absence_types' in types)) throw new Error('One record where a list was asked for.');
const absence = {
  user_id: page.users[1]!.id,
  absence_type_id: types.absence_types[0]!.id,
  starts_at: '2031-03-03',
  ends_at: '2031-03-07',
  full_day: true,
};
const created = answerOf(await AbsencesService.createPublicAbsence({ requestBody: { absence } }));

console.log(
  JSON.stringify({
    nobody: nobody.meta.total_count,
    found: found.data.map(({ attributes }) => attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    punched: punches.map(({ attributes }) => attributes.action_type),
    refused,
    enterprise: page.users.map(({ username }) => username),
    vacationDays: created.vacation_days,
  }),
);

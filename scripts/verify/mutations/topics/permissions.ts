import type { Mutation } from '../mutation.ts';

const rights = 'src/platform/core/permissions.ts';
const ofRecords = ['test/unit/platform/core/permissions_of_records.test.ts'];

/** Who may do what to a record. */
export const permissionMutations: readonly Mutation[] = [
  {
    file: rights,
    find: '(isAreaAdmin(actor) && areaIds.some((id) => actor.areaIds.includes(id)))',
    replace: 'isAreaAdmin(actor)',
    breaks: 'An area admin administers every area.',
    tests: ['test/unit/platform/core/permissions.test.ts'],
  },
  {
    file: rights,
    find: 'coversAreas(actor, record.area_ids) && (isWorkspaceAdmin(actor) || actor.rank >= record.user_rank)',
    replace: 'coversAreas(actor, record.area_ids)',
    breaks: 'An area admin administers users of their areas who rank higher.',
    tests: ['test/unit/platform/core/permissions.test.ts'],
  },
  {
    file: rights,
    find: '(isOwn(actor, record) && actor.workspace?.allow_employees_tag_working_sessions === true)',
    replace: 'isOwn(actor, record)',
    breaks: 'Employees tag their work where the workspace does not let them.',
    tests: ofRecords,
  },
  {
    file: rights,
    find: "(isOwn(actor, absence) && absence.confirmation_status === 'pending')",
    replace: 'isOwn(actor, absence)',
    breaks: 'Employees change and delete absences that were decided.',
    tests: ofRecords,
  },
  {
    file: rights,
    find: 'isWorkspaceAdmin(actor) && actor.rank >= user.rank',
    replace: 'isWorkspaceAdmin(actor)',
    breaks: 'A workspace admin changes account admins.',
    tests: ['test/unit/platform/core/permissions.test.ts'],
  },
  {
    file: rights,
    find: '!isSelf(actor, user) && isWorkspaceAdmin(actor) &&',
    replace: 'isWorkspaceAdmin(actor) &&',
    breaks: 'Account admins delete themselves.',
    tests: ['test/unit/platform/core/permissions.test.ts'],
  },
  {
    file: rights,
    find: 'update_role: (actor: Actor, user: { id: number }) => !isSelf(actor, user),',
    replace: 'update_role: (_actor: Actor, _user: { id: number }) => true,',
    breaks: 'Everybody who may change users changes their own role.',
    tests: ofRecords,
  },
  {
    file: rights,
    find: 'Math.max(user.rank, user.highestRole)',
    replace: 'user.rank',
    breaks:
      'A workspace admin changes the address of an employee who administers another workspace, and takes it over.',
    tests: ['test/unit/platform/core/permissions.test.ts'],
  },
  {
    file: rights,
    find: 'decide: mayConfirm,',
    replace: 'decide: isOwnOrAdministered,',
    breaks: 'Employees confirm their own absences.',
    tests: ofRecords,
  },
  {
    file: rights,
    find: "(note.type === 'UserNote' && administers(actor, note))",
    replace: 'administers(actor, note)',
    breaks: 'Admins delete the notes that the service wrote about changes.',
    tests: ofRecords,
  },
  {
    file: rights,
    find: "notification.type === 'trigger_warning' ? administers(actor, notification) : isOwn(actor, notification)",
    replace: 'administers(actor, notification) || isOwn(actor, notification)',
    breaks: 'Admins delete notifications that are addressed to others.',
    tests: ofRecords,
  },
  {
    file: 'src/organisation/areas/areas.ts',
    find: '...(await authorityProblems(db, actor, area, change.user_ids ?? [])),',
    replace: '',
    breaks: 'An area admin puts anybody into their own area, and administers them from then on.',
    tests: ['test/api/v3/organisation/areas/areas.test.ts'],
  },
];

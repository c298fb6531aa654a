/** 0: no role here; 1 to 4: the id of a role. Each role includes those below it. */
export type Rank = 0 | 1 | 2 | 3 | 4;

export const rank = { employee: 1, areaAdmin: 2, workspaceAdmin: 3, accountAdmin: 4 } as const;

/** The least rank for each `x-role` of the contract. `any` is any signed-in user. */
export const leastRank: Readonly<Record<string, Rank>> = {
  any: 0,
  member: 1,
  working_area_admin: 2,
  workspace_admin: 3,
  account_admin: 4,
};

/** The rank that a user's row gives them in the workspace it was read in. */
export const rankOf = (row: { readonly is_account_admin: boolean; readonly role: number | null }): Rank =>
  (row.is_account_admin ? rank.accountAdmin : (row.role ?? rank.employee)) as Rank;

/** `admin` or `employee`, as `assumed_role` and `author_role` say it. */
export const assumedRole = (of: Rank): 'admin' | 'employee' => (of >= rank.areaAdmin ? 'admin' : 'employee');

interface Ranked {
  readonly rank: Rank;
}

export const isAccountAdmin = (actor: Ranked): boolean => actor.rank === rank.accountAdmin;

/** Whether the actor administers everything in the workspace of the operation. */
export const isWorkspaceAdmin = (actor: Ranked): boolean => actor.rank >= rank.workspaceAdmin;

/** Whether the actor administers their areas and nothing beyond. */
export const isAreaAdmin = (actor: Ranked): boolean => actor.rank === rank.areaAdmin;

export const isRole = (id: number): id is Rank => id >= rank.employee && id <= rank.accountAdmin;

/** The highest of some roles; that of an employee where there are none. */
export const highestRole = (roles: readonly Rank[]): Rank => Math.max(rank.employee, ...roles) as Rank;

/** The columns that store a rank. Account admins are workspace admins wherever they are members. */
export const storedRank = (of: Rank): { readonly is_account_admin: boolean; readonly role: Rank } => ({
  is_account_admin: of === rank.accountAdmin,
  role: Math.min(of, rank.workspaceAdmin) as Rank,
});

import type { Api, ContractOperation } from '../../src/platform/http/contract_document.ts';

/** What the least role of an operation means, in words. Each role includes those before it. */
const words: Readonly<Record<string, string>> = {
  any: 'Every signed-in user.',
  member: 'Every member of the workspace or account in the path. What they see and change depends on their role.',
  working_area_admin: 'Admins of areas, for their areas, and admins of the workspace and of the account.',
  workspace_admin: 'Admins of the workspace, and admins of the account.',
  account_admin: 'Admins of the account.',
};

/** Who may call an operation. */
export function callersOf(api: Api, { security, 'x-role': role }: ContractOperation): string {
  if (api === 'public') return 'Every system with a token of the enterprise. A token with `read_only` may only read.';
  if (role === undefined)
    return security?.length === 0
      ? 'Everybody, without a credential.'
      : 'Every client program with an `Api-Key`. Nobody has to be signed in.';
  const text = words[role];
  if (text === undefined) throw new Error(`The contract names a role that has no description: ${role}`);
  return text;
}

/** Addresses of what the service serves beside its APIs. */
export interface Links {
  /** A signed path that expires; whoever has it may fetch the file until then. */
  file(accountId: number, fileId: string): string;
}

/** Images for those who have none of their own. */
export const placeholder = { avatar: '/images/avatar.png', workspace: '/images/workspace.png' } as const;

/** The addresses of files and images, which the service serves beside its APIs. */
export interface Links {
  /** A signed path that expires. Until then, anyone who has it may fetch the file. */
  file(accountId: number, fileId: string): string;
}

/** Images for users and workspaces without one of their own. */
export const placeholder = { avatar: '/images/avatar.png', workspace: '/images/workspace.png' } as const;

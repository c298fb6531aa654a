/** The paths of files, which the service serves beside its APIs. */
export interface FilePaths {
  /** A signed path that expires. Until then, anyone who has it may fetch the file. */
  file(accountId: number, fileId: string): string;
}

/** The absolute addresses of files and images. */
export interface Links extends FilePaths {
  /** Where they begin. */
  readonly origin: string;
  /** The image of a user or a workspace without one of their own. */
  placeholder(of: 'avatar' | 'workspace'): string;
}

/** The addresses at an origin, such as `https://time.example.com`. */
export const linksAt = (origin: string, paths: FilePaths): Links => ({
  origin,
  file: (accountId, fileId) => origin + paths.file(accountId, fileId),
  placeholder: (of) => `${origin}/images/${of}.png`,
});

import type { Request } from 'express';

/** How absolute addresses begin: with PUBLIC_URL, or else with the address that the caller used. */
export const originOf = (publicUrl: string | undefined, req: Request): string =>
  publicUrl ?? `${req.protocol}://${req.get('host')}`;

import type { Logger } from 'pino';

/** Warns where a process in production runs as root: a mistake in it would reach the whole machine. */
export function warnAboutRoot(
  { isProduction }: { readonly isProduction: boolean },
  log: Pick<Logger, 'warn'>,
  userId = process.getuid?.(),
): void {
  if (isProduction && userId === 0)
    log.warn('The process runs as root. Run it as a user of its own, who owns nothing but DATA_DIR.');
}

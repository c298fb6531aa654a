/** Where the lines of the log go. */
export interface Output {
  write(text: string): unknown;
}

const moment = 50;
const enough = 16 * 1024;

/**
 * Writes what comes within a moment at once: to write a line for every request took a tenth of its time. Whatever ends the
 * process, short of the system itself, lets the last lines out.
 */
export function gathering(output: Output): Output & { flushSync(): void } {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const flushSync = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = '';
    if (text !== '') output.write(text);
  };
  process.on('exit', flushSync);
  return {
    write(text) {
      gathered += text;
      if (gathered.length >= enough) flushSync();
      else timer ??= setTimeout(flushSync, moment).unref();
    },
    // The name by which a logger asks for it before a line that may be the last.
    flushSync,
  };
}

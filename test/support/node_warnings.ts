/** What Node warns about while something is done. */
export async function warningsDuring(work: () => Promise<unknown>): Promise<Error[]> {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  try {
    await work();
    // A warning is told a moment after its cause.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', note);
  }
  return warnings;
}

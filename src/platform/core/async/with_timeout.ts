/** Waits for a promise at most this long. Then the fallback is the result. */
export async function withTimeout<T>(
  promise: T | Promise<T>,
  { timeoutMs, fallback }: { readonly timeoutMs: number; readonly fallback: T },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(fallback), timeoutMs)));
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

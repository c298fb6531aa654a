/** Waits for something, but not for ever: after so many milliseconds comes the other value. */
export async function atMost<T>(milliseconds: number, something: T | Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(otherwise), milliseconds)));
  try {
    return await Promise.race([something, enough]);
  } finally {
    clearTimeout(timer);
  }
}

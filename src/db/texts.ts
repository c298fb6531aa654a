/** Texts of many rows as a statement is sent them: each once, and for every row which one it has, from 1 on; none where all have the first. */
export interface SharedTexts {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** What many rows say is mostly the same: in a batch of thousands, to send it again and again would take longer than to store it. */
export function sharedTexts(all: readonly string[]): SharedTexts {
  const known = new Map<string, number>();
  const numbers = all.map((text) => {
    const number = known.get(text) ?? known.size + 1;
    known.set(text, number);
    return number;
  });
  return { texts: [...known.keys()], numbers: known.size === 1 ? [] : numbers };
}

/** In pieces, so that a file can be stored and sent without holding it in memory. */
export const pieceBytes = 256 * 1024;

/** The same bytes in pieces of the size in which they are stored. */
export async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < pieceBytes) continue;
    let rest = Buffer.concat(waiting);
    for (; rest.length >= pieceBytes; rest = rest.subarray(pieceBytes)) yield rest.subarray(0, pieceBytes);
    waiting = [Buffer.from(rest)];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

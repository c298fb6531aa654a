/** A place in the order of events. The event at this place, if there is one, belongs to what was read. */
export interface Position {
  readonly epoch: number;
  /** A 64-bit number, as text. */
  readonly transactionId: string;
  readonly id: number;
}

/** Before the first event. */
export const origin: Position = { epoch: 0, transactionId: '0', id: 0 };

export function isAfter(one: Position, other: Position): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  const [first, second] = [BigInt(one.transactionId), BigInt(other.transactionId)];
  return first === second ? one.id > other.id : first > second;
}

export const positionText = ({ epoch, transactionId, id }: Position): string => `${epoch}.${transactionId}.${id}`;

export function positionIn(text: string): Position {
  const [epoch, transactionId, id] = text.split('.') as [string, string, string];
  return { epoch: Number(epoch), transactionId, id: Number(id) };
}

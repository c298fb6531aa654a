/**
 * A record with its ids as texts. The resource API has ids as texts and the public API has numbers, so a program that uses both, or
 * a store, would find nothing by the other kind. Both APIs take texts.
 */
export type WithTextIds<Row> = {
  [Key in keyof Row]: Key extends 'id' | `${string}_id`
    ? TextId<Row[Key]>
    : Key extends `${string}_ids`
      ? TextIds<Row[Key]>
      : Row[Key];
};

type TextId<Value> = Value extends number ? string : Value;
type TextIds<Value> = Value extends readonly number[] ? string[] : Value;

const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

/** Turns the ids of a record of the public API into texts. */
export function withTextIds<Row>(row: Row): WithTextIds<Row> {
  const entries = Object.entries(row as object).map(([name, value]: [string, unknown]) => {
    if (name === 'id' || name.endsWith('_id')) return [name, asText(value)];
    if (name.endsWith('_ids') && Array.isArray(value)) return [name, value.map(asText)];
    return [name, value];
  });
  return Object.fromEntries(entries) as WithTextIds<Row>;
}

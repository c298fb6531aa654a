import type { DB } from '../../../generated/db.ts';
import { writtenAttributes } from '../../../generated/written_attributes.ts';

/** An object of the named members, without those that are undefined. */
export const pick = <T extends object, Name extends keyof T>(source: T, names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]])) as Pick<
    T,
    Name
  >;

/** The value itself. The compiler refuses members that `Known` does not have, which it allows elsewhere in an object with a spread. */
export const exactly =
  <Known>() =>
  <Given extends Known>(value: Given & Record<Exclude<keyof Given, keyof Known>, never>): Known =>
    value;

type Written = typeof writtenAttributes;
type AttributeOf<Schema extends keyof Written> = Written[Schema][number];

/** The compile error about an attribute that would be lost. */
type Refusal<Table extends string, Lost> = [Lost] extends [never]
  ? unknown
  : `${Lost & string} is no column of ${Table}: add it, or handle it in the verb and name it here`;

/**
 * The attributes that are stored as they come: all that the contract lets a client send, except those that the verb handles
 * itself. Each must be a column of the table.
 */
export function storedAttributes<
  Table extends keyof DB,
  Schema extends keyof Written,
  const Handled extends AttributeOf<Schema> = never,
>({
  schemas,
  handled,
}: {
  readonly table: Table;
  readonly schemas: readonly Schema[];
  readonly handled: readonly Handled[] & Refusal<Table, Exclude<AttributeOf<Schema>, Handled | keyof DB[Table]>>;
}) {
  type Stored = Exclude<AttributeOf<Schema>, Handled>;
  const names = new Set<string>(schemas.flatMap((schema): readonly string[] => writtenAttributes[schema]));
  for (const name of handled) names.delete(name);
  return [...names] as readonly string[] as readonly (Stored & keyof DB[Table])[];
}

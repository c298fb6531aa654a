/**
 * Replaces every reference of a contract by a copy. openapi-backend replaces them by one shared object, and turns a list of types
 * that occurs twice into an invalid schema.
 */
export function expanded<Document extends object>(contract: Document): Document {
  const copyOf = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(copyOf);
    const { $ref, ...rest } = node as { $ref?: string };
    const target = $ref
      ?.slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], contract);
    return Object.fromEntries(
      Object.entries({ ...(target as object | undefined), ...rest }).map(([key, value]) => [key, copyOf(value)]),
    );
  };
  return copyOf(contract) as Document;
}

import type { Contract } from '../../../src/platform/http/contract_document.ts';
import type { Json } from './schemas.ts';

/** The document without the components that nothing refers to. Security schemes are referred to by name, so all of them stay. */
export function withUsedComponents<T extends Contract>(document: T): T {
  const { components, ...rest } = document as T & { components: Record<string, Json> };
  const used = new Set<string>();
  const collect = (node: unknown): void => {
    for (const [, kind, name] of JSON.stringify(node ?? null).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      collect(components[kind!]?.[name!]);
    }
  };
  collect(rest);
  const kept = Object.entries(components).map(([kind, byName]) => [
    kind,
    Object.fromEntries(
      Object.entries(byName).filter(([name]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`)),
    ),
  ]);
  return { ...document, components: Object.fromEntries(kept) };
}

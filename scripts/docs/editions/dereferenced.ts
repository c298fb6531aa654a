import { resolver, type Contract } from '../../../src/platform/http/contract_document.ts';
import { isObject, type Json } from './schemas.ts';

/** The contract without references: each stands for what it refers to. Nothing in our contracts contains itself. */
export function dereferenced(contract: Contract): object {
  const resolve = resolver(contract);
  const followed = new Map<string, unknown>();
  const follow = (reference: string): unknown => {
    if (!followed.has(reference)) followed.set(reference, whole(resolve(reference)));
    return followed.get(reference);
  };
  const whole = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(whole);
    if (!isObject(node)) return node;
    const { $ref, ...own } = node;
    const members = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, whole(value)]));
    return typeof $ref === 'string' ? { ...(follow($ref) as Json), ...members } : { ...node, ...members };
  };
  const { components, ...rest } = contract;
  return { ...(whole(rest) as Json), components: { securitySchemes: components.securitySchemes } };
}

import { resolver, type Contract } from '../../../src/platform/http/contract_document.ts';
import { isObject, type Json } from './schemas.ts';

/** Puts what they refer to in the place of the references in a node of the contract. Nothing in our contracts contains itself. */
export function dereferencer(contract: Contract): (node: unknown) => unknown {
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
  return whole;
}

/** The contract without references. */
export function dereferenced(contract: Contract): object {
  const { components, ...rest } = contract;
  const { securitySchemes } = components;
  return { ...(dereferencer(contract)(rest) as Json), components: { securitySchemes } };
}

import type { Mutation } from '../../mutation.ts';

const addresses = ['test/api/shared/integration/webhooks/addresses.test.ts'];
const delivery = ['test/api/shared/integration/webhooks/delivery.test.ts'];

/** Where webhooks may lead, and what they are told. */
export const webhookMutations: readonly Mutation[] = [
  {
    file: 'src/integration/webhooks/send.ts',
    find: '      lookup,\n',
    replace: '',
    breaks: 'A name that changes its answer leads to another address than the one that was checked.',
    tests: addresses,
  },
  {
    file: 'src/integration/webhooks/addresses.ts',
    find: "address.kind() === 'ipv4' || isWithin(address, ['2000::/3'])",
    replace: 'true',
    breaks: 'IPv6 addresses that lead to IPv4 addresses are taken for public ones.',
    tests: addresses,
  },
  {
    file: 'src/integration/webhooks/claims.ts',
    find: '              and earlier.id < delivery.id)',
    replace: '              and earlier.id < delivery.id and false)',
    breaks: 'A message about a record overtakes an earlier one that has failed.',
    tests: delivery,
  },
  {
    file: 'src/integration/webhooks/dispatch.ts',
    find: 'and (webhook.workspace_ids is null or events.workspace_id = any(webhook.workspace_ids))',
    replace: '',
    breaks: 'A webhook for one workspace is told about others.',
    tests: delivery,
  },
  {
    file: 'src/platform/http/answers/answer.ts',
    find: 'const prepare = preparationOf(handler);',
    replace: 'const prepare = undefined as ReturnType<typeof preparationOf>;',
    breaks: 'The look-up of a slow name holds a connection to the database.',
    tests: ['test/api/shared/integration/webhooks/lookups.test.ts'],
  },
];

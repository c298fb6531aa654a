import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../platform/config.ts';
import { lookUps, type Address } from './lookups.ts';

/*
 * Which addresses requests may go to. A name is resolved once, and the request goes to the very address that was checked. So a
 * name that changes its answer leads nowhere else.
 */

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

export interface AddressPolicy {
  /** Permits https to private addresses, and http to loopback. */
  readonly allowsPrivate: boolean;
  readonly resolve: Resolve;
}

/** The policy for an account. Look-ups of one account leave room for others. */
export type PolicyFor = (accountId: number) => AddressPolicy;

export const addressPolicies = ({
  webhookAllowPrivate: allowsPrivate,
  webhookDns,
}: Pick<Config, 'webhookAllowPrivate' | 'webhookDns'>): PolicyFor => {
  const lookUp = lookUps(webhookDns);
  return (accountId) => ({ allowsPrivate, resolve: (host) => lookUp(host, accountId) });
};

/** The addresses that requests to a url go to, or why it is refused. None if its name has no address at the moment. */
export interface Checked {
  readonly addresses?: readonly Address[];
  /** The problem, as the end of a sentence about the url. */
  readonly refusal?: string;
}

/** Checks a url and all addresses that its name has. One that is not allowed refuses them all. */
export async function checkUrl(text: string, { allowsPrivate, resolve }: AddressPolicy): Promise<Checked> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    return { refusal: `must begin with https://, but was "${text}".` };
  if (url.protocol === 'http:' && !allowsPrivate)
    return { refusal: `must begin with https://, but was "${text}". ${ofOperator} http to loopback addresses.` };
  if (url.username !== '' || url.password !== '') return { refusal: 'must not contain a username or a password.' };
  const addresses = await addressesOf(url, resolve);
  for (const { address } of addresses) {
    if (!ipaddr.isValid(address)) return { refusal: `leads to ${address}. Only public addresses are allowed.` };
    if (isPublic(address) && url.protocol === 'https:') continue;
    if (allowsPrivate && (url.protocol === 'https:' ? isPrivate(address) : isLoopback(address))) continue;
    if (url.protocol === 'http:')
      return { refusal: `leads to ${address}. http is allowed to loopback addresses only.` };
    const exception = isPrivate(address) && !allowsPrivate ? ` ${ofOperator} private ones.` : '';
    return { refusal: `leads to ${address}. Only public addresses are allowed.${exception}` };
  }
  return { addresses };
}

/** What the operator can do about a refusal. */
const ofOperator = 'The operator can set WEBHOOK_ALLOW_PRIVATE=on, which permits';

/** The parser of urls has already turned every spelling of an IPv4 address, such as decimal and octal ones, into the usual one. */
async function addressesOf({ hostname }: URL, resolve: Resolve): Promise<readonly Address[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? resolve(host) : [{ address: host, family: isIP(host) }];
}

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** The address that it stands for. An IPv4 address in the form of IPv6 is the IPv4 address. */
const parsed = (address: string): Parsed => ipaddr.process(address.replace(/%.*$/, ''));

/** The library compares addresses of either kind, which its types do not say. */
function isWithin(address: Parsed, networks: readonly string[]): boolean {
  const within = networks.map((network) => ipaddr.parseCIDR(network)) as [ipaddr.IPv6, number][];
  return ipaddr.subnetMatch(address as ipaddr.IPv6, { within }, 'outside') === 'within';
}

/** Where machines of cloud providers ask for their credentials, outside of the ranges that are refused anyway. */
const metadata = [
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
];

/** Set aside for tests and documentation. */
const unused = ['198.18.0.0/15', '2001:db8::/32', '2001::/23'];

/** Addresses of the internet: of IPv6 only the part that is handed out, without those that lead to IPv4 addresses. */
function isPublic(text: string): boolean {
  const address = parsed(text);
  if (isWithin(address, [...metadata, ...unused])) return false;
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, ['2000::/3']));
}

const isLoopback = (text: string): boolean => parsed(text).range() === 'loopback';

function isPrivate(text: string): boolean {
  const address = parsed(text);
  return (
    ['private', 'uniqueLocal', 'loopback', 'carrierGradeNat'].includes(address.range()) && !isWithin(address, metadata)
  );
}

import ipaddr from 'ipaddr.js';
import { memoize } from './memoize.ts';

/** Whether requests on behalf of a customer may go to this address. */
export type MayCall = (address: string) => boolean;

/** The only range of public IPv6 addresses. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3');
/** The address of Azure's host, which is a public one. */
const metadataServices = new Set(['168.63.129.16']);

/** Allows public addresses, and the networks (CIDR, or one address) that the operator configured. */
export function callableAddresses(allowedNetworks: readonly string[]): MayCall {
  const allowed = allowedNetworks.map(networkOf);
  return memoize(10_000, (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    return isPublic(address) || allowed.some((network) => isWithin(address, network));
  });
}

/** Returns the IP address in a URL, if its host is one; the URL class has normalized its notation. */
export function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : undefined;
}

/** Returns whether an address of a socket is in one of these networks (CIDR, or one address). */
export function withinNetworks(networks: readonly string[]): (address: string | undefined) => boolean {
  const all = networks.map(networkOf);
  return (text = '') => {
    if (!ipaddr.isValid(text)) return false;
    // Sockets that listen on both families have IPv4 addresses embedded in IPv6 ones.
    const address = ipaddr.process(text);
    return all.some((network) => isWithin(address, network));
  };
}

/** Returns whether the text is one address, or a network in CIDR notation, of IPv4 or IPv6. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return Number(bits ?? 32) <= 32;
  // A scoped address belongs to one machine, and a client with a mapped one is compared as IPv4.
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false;
  return Number(bits ?? 128) <= 128 && !ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Refuses IPv6 addresses that embed an IPv4 address: they have other ranges. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || metadataServices.has(address.toString())) return false;
  return address.kind() === 'ipv4' || isWithin(address, publicIpv6);
}

const isWithin = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

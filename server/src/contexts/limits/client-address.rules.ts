import ipaddr from 'ipaddr.js';

/**
 * Returns the key to count a client by. An IPv6 /64 counts as one client, an IPv4-mapped IPv6 address as IPv4.
 * Invalid addresses from a proxy share one key, so that forged values cannot create new buckets.
 */
export function clientAddress(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...network, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

import ipaddr from 'ipaddr.js';

/**
 * An IPv6 customer owns a whole /64, so all of it counts as one; an IPv4 address written as IPv6 is itself. What a
 * proxy forwards as an address but is none counts as one, too: nobody makes buckets by making names up.
 */
export function clientAddress(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...network, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

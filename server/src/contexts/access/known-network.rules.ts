import ipaddr from 'ipaddr.js';

/** Sizes of the networks within which the address of one connection changes. */
const bits = { ipv4: 24, ipv6: 48 } as const;

/** Whether two addresses, as counted by `clientAddress`, are in the same network. */
export function isSameNetwork(one: string, other: string): boolean {
  const [first, second] = [baseOf(one), baseOf(other)];
  if (!ipaddr.isValid(first) || !ipaddr.isValid(second)) return one === other;
  const [left, right] = [ipaddr.process(first), ipaddr.process(second)];
  return left.kind() === right.kind() && left.match(right, bits[left.kind()]);
}

/** IPv6 addresses are counted as their /64. */
const baseOf = (address: string): string => address.split('/')[0] ?? '';

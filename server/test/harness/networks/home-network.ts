import { claimNetwork } from './claim-network.ts';
import { dropNamespace, inside, ip, ownName, sweepNamespaces } from './namespaces.ts';

/**
 * A home network behind a router, and the part of the internet that it reaches:
 *
 *   this machine 198.18.x.* -- 198.18.x.200 router 192.168.77.1 -- 192.168.77.2 home
 *
 * The machine itself is the public side, so that engines reach their database as usual; router and home are network
 * namespaces. The home reaches only the public side, and only through the router.
 */
export interface HomeNetwork {
  /** The first three numbers of the public addresses. */
  network: string;
  /** The public address of all devices at home. */
  routerAddress: string;
  homeAddress: string;
  /** Namespace names for `ip netns exec`. */
  home: string;
  router: string;
  /** Blocks UDP; returns a function that removes the block. */
  blockUdpTo(address: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const homeAddress = '192.168.77.2';
const gateway = '192.168.77.1';
const routerHost = 200;
/** The simulator, the relay, two media nodes and two edges; the numbers are those of a cell. */
const publicHosts = [5, 6, 11, 12, 101, 102, 103, 104];

/** Seconds after which the router drops an unused UDP mapping; real routers take thirty or more. */
export const routerForgetsSeconds = 5;

// A symmetric NAT: a separate port per destination, and inbound packets only from destinations already contacted from
// that port. A service that waits for inbound packets, or that trusts the addresses in a phone's SDP, fails here.
const rules = `
table ip router {
  set no_udp { type ipv4_addr; }
  chain translate {
    type nat hook postrouting priority srcnat;
    oifname "public" masquerade fully-random
  }
  chain pass {
    type filter hook forward priority filter; policy drop;
    ip daddr @no_udp meta l4proto udp drop
    iifname "inside" accept
    ct state established accept
  }
  chain own {
    type filter hook input priority filter; policy drop;
    iifname "inside" accept
  }
}
`;

export async function openHomeNetwork(forgetsSeconds = routerForgetsSeconds): Promise<HomeNetwork> {
  if (process.getuid?.() !== 0)
    throw new Error('Only root can create network namespaces. Run these tests as root.');
  await sweepNamespaces();
  const router = ownName('router');
  const home = ownName('home');
  const close = async (): Promise<void> => {
    await dropNamespace(home);
    await dropNamespace(router);
  };
  try {
    await ip('netns', 'add', router);
    await ip('netns', 'add', home);
    const { network, link } = await claimNetwork(router, 'public');
    await connectRouter(link, network, router, forgetsSeconds);
    await connectHome(router, home);
    const routerAddress = `${network}.${routerHost}`;
    const closeAll = async (): Promise<void> => {
      await close();
      // Removed together with the router, unless a process inside is still ending.
      await ip('link', 'delete', link).catch(() => undefined);
    };
    const blockUdpTo: HomeNetwork['blockUdpTo'] = (address) => blockUdp(router, address);
    return { network, routerAddress, homeAddress, home, router, blockUdpTo, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connectRouter(
  link: string,
  network: string,
  router: string,
  forgetsSeconds: number,
): Promise<void> {
  // Media nodes offer browsers the addresses of their interfaces.
  for (const host of publicHosts) await ip('address', 'add', `${network}.${host}/24`, 'dev', link);
  await ip('link', 'set', link, 'up');
  await ip('-n', router, 'address', 'add', `${network}.${routerHost}/24`, 'dev', 'public');
  await ip('-n', router, 'link', 'set', 'public', 'up');
  await inside(router, 'nft', rules);
  const tracking = 'net.netfilter.nf_conntrack_udp_timeout';
  for (const setting of [
    'net.ipv4.ip_forward=1',
    `${tracking}=${forgetsSeconds}`,
    `${tracking}_stream=${forgetsSeconds}`,
  ])
    await inside(router, 'sysctl', '--quiet', '--write', setting);
}

async function connectHome(router: string, home: string): Promise<void> {
  await ip('-n', router, 'link', 'add', 'inside', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', home);
  await ip('-n', router, 'address', 'add', `${gateway}/24`, 'dev', 'inside');
  await ip('-n', router, 'link', 'set', 'inside', 'up');
  await ip('-n', home, 'link', 'set', 'lo', 'up');
  await ip('-n', home, 'address', 'add', `${homeAddress}/24`, 'dev', 'eth0');
  await ip('-n', home, 'link', 'set', 'eth0', 'up');
  await ip('-n', home, 'route', 'add', 'default', 'via', gateway);
}

async function blockUdp(router: string, address: string): Promise<() => Promise<void>> {
  const change = (verb: string): Promise<string> =>
    inside(router, 'nft', `${verb} element ip router no_udp { ${address} }`);
  await change('add');
  return async () => void (await change('delete'));
}

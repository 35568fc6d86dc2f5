import {
  appPorts,
  confidential,
  executable,
  filled,
  type HostContext,
  type HostFile,
  haproxyStart,
  owners,
  plain,
  readTemplate,
  sharedPorts,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';

/** HAProxy for the API and PostgreSQL, keepalived with the shared addresses, and Redis. */
export function balancerFiles(context: HostContext<'balancer'>): HostFile[] {
  const { inventory, host, secrets, at } = context;
  return [
    filled('/etc/haproxy/haproxy.cfg', 'haproxy/haproxy.cfg.in', frontValues(context)),
    filled('/etc/haproxy/database.cfg', 'haproxy/database.cfg.in', databaseValues(context)),
    filled('/etc/haproxy/machine.cfg', 'haproxy/machine.cfg.in', { ADDRESS: host.address }),
    haproxyStart(['haproxy', 'database', 'machine'], at),
    confidential(plain('/etc/haproxy/api.pem', `${secrets('certificate')}\n${secrets('certificate_key')}\n`)),
    filled('/etc/keepalived/keepalived.conf', 'keepalived/keepalived.conf.in', sharedValues(context)),
    { path: '/etc/keepalived/healthy', text: readTemplate('containers/bin/healthy'), mode: executable },
    confidential(
      filled('/etc/redis/redis.conf', 'redis/redis.conf.in', {
        ADDRESS: host.address,
        SHARED_ADDRESS: inventory.private.sharedAddress,
        REDIS_PASSWORD: secrets('redis_password'),
        DATA: at('/var/lib/redis'),
      }),
    ),
    // The shared addresses are on one of the machines only, and the programs listen on both.
    plain('/etc/sysctl.d/60-disca.conf', 'net.ipv4.ip_nonlocal_bind = 1\n'),
    owners(['z /etc/redis/redis.conf 0640 redis redis', 'z /etc/haproxy/api.pem 0600 root root']),
  ];
}

function frontValues({ inventory, at }: HostContext<'balancer'>): Record<string, string | number> {
  const servers = hostsOf(inventory, 'app').flatMap(({ address }, index): [string, string | number][] => [
    [`API_${index + 1}`, `${address}:${appPorts.api}`],
    [`API_${index + 1}_OPS_ADDRESS`, address],
    [`API_${index + 1}_OPS_PORT`, appPorts.apiOps],
  ]);
  return {
    API_LISTEN: `${inventory.public.sharedAddress}:443 ssl crt ${at('/etc/haproxy/api.pem')}`,
    ...Object.fromEntries(servers),
  };
}

const databaseValues = ({ inventory }: HostContext<'balancer'>): Record<string, string> => ({
  POSTGRES_LISTEN: `${inventory.private.sharedAddress}:${sharedPorts.postgres}`,
  ...Object.fromEntries(
    hostsOf(inventory, 'database').map(({ address }, index) => [`DATABASE_${index + 1}`, address]),
  ),
});

function sharedValues({ inventory, host, at }: HostContext<'balancer'>): Record<string, string | number> {
  const balancers = hostsOf(inventory, 'balancer');
  const peer = balancers.find(({ name }) => name !== host.name);
  return {
    ADDRESS: host.address,
    PEER: peer?.address ?? '',
    PRIORITY: 150 - balancers.findIndex(({ name }) => name === host.name),
    PRIVATE_INTERFACE: inventory.private.interface,
    PUBLIC_INTERFACE: inventory.public.interface,
    PRIVATE_SHARED_ADDRESS: inventory.private.sharedAddress,
    PUBLIC_SHARED_ADDRESS: inventory.public.sharedAddress,
    CHECK: at('/etc/keepalived/healthy'),
  };
}

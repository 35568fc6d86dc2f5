import {
  confidential,
  credential,
  edgeDatabaseUrl,
  edgePorts,
  environment,
  filled,
  type HostContext,
  type HostFile,
  owners,
  plain,
  relayPorts,
  seenAddress,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';

const relayHome = '/var/lib/disca-relay';
/** coturn's defaults of deploy/containers/bin/start-relay. */
const relayLimits = { LOWEST_PORT: 49_152, HIGHEST_PORT: 65_535, USER_QUOTA: 12, TOTAL_QUOTA: 1_200 };

/** The edge and the relay. */
export function edgeFiles(context: HostContext<'edge'>): HostFile[] {
  const { inventory, host, secrets } = context;
  const { certificate, key } = { certificate: secrets('certificate'), key: secrets('certificate_key') };
  return [
    environment('/etc/disca/edge.env', {
      EDGE_ID: host.edgeId,
      PUBLIC_ADDRESS: host.publicAddress,
      PUBLIC_PORT: edgePorts.sip,
      TLS_PORT: edgePorts.tls,
      WSS_PORT: edgePorts.wss,
      ADVERTISED_ADDRESS: seenAddress(host),
      PRIVATE_ADDRESS: host.address,
      PRIVATE_PORT: edgePorts.private,
      WEBSOCKET_HOSTS: `${inventory.sipName} ${host.publicName}`,
      CONSOLE_ORIGINS: `https://${inventory.apiName}`,
      ...inventory.settings.edge,
    }),
    credential('edge_database_url', edgeDatabaseUrl(inventory, secrets)),
    credential('certificate', certificate),
    credential('certificate_key', key),
    ...['nonce_secret', 'dialog_secret', 'digest_keys'].map((name) => credential(name, secrets(name))),
    relayFile(context),
    plain(`${relayHome}/etc/relay.crt`, `${certificate}\n`),
    confidential(plain(`${relayHome}/etc/relay.key`, `${key}\n`)),
    owners([
      `d ${relayHome}/run 0750 turnserver turnserver`,
      `z ${relayHome}/etc/relay.key 0600 turnserver turnserver`,
      'z /etc/turnserver.conf 0600 turnserver turnserver',
    ]),
  ];
}

/** The template allows one media node; each further one has its own line. */
function relayFile({ inventory, host, secrets, at }: HostContext<'edge'>): HostFile {
  const [first = '', ...others] = hostsOf(inventory, 'media').map(seenAddress);
  const file = filled('/etc/turnserver.conf', 'coturn/turnserver.conf.in', {
    ...relayLimits,
    HOME: at(relayHome),
    LISTEN_ADDRESS: host.publicAddress,
    ADVERTISED_ADDRESS: seenAddress(host),
    LISTEN_PORT: relayPorts.plain,
    TLS_PORT: relayPorts.tls,
    REALM: inventory.sipName,
    TURN_SECRET: secrets('turn_secret'),
    MEDIA_NODES: first,
  });
  const allowed = others.map((address) => `allowed-peer-ip=${address}\n`).join('');
  return confidential({ ...file, text: file.text + allowed });
}

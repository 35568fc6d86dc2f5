import { voiceTls } from '../../tools/dev/services/haproxy.ts';
import { nodeCertificateKeyOf, nodeCertificateOf } from './certificates.ts';
import {
  appPorts,
  carrierPorts,
  confidential,
  credential,
  edgePorts,
  environment,
  filled,
  type HostContext,
  type HostFile,
  haproxyStart,
  nodeSipPort,
  owners,
  plain,
  seenAddress,
} from './host-files.ts';
import { hostsOf, type Inventory } from './inventory.ts';
import { nodeSecretOf } from './secrets.ts';

const certificateFile = '/etc/haproxy/node.pem';
const authorityFile = '/etc/haproxy/nodes.crt';
const usesTls = ({ voiceTls: uses }: Inventory): boolean => uses === 'required';

/** The media node, its shipper, and a load balancer for their connections to voice. */
export function mediaFiles(context: HostContext<'media'>): HostFile[] {
  const { inventory, host, secrets, at } = context;
  const edges = hostsOf(inventory, 'edge');
  const control = `127.0.0.1:${appPorts.voice}`;
  return [
    environment('/etc/disca/media.env', {
      NODE: host.name,
      CONTROL_URL: `ws://${control}/asterisk`,
      SIP_ADDRESS: host.address,
      SIP_PORT: nodeSipPort,
      SIP_DOMAIN: inventory.sipName,
      MEDIA_ADDRESS: host.publicAddress,
      ANNOUNCED_ADDRESS: seenAddress(host),
      EDGES: edges.map(({ edgeId, address }) => `${edgeId}=${address}:${edgePorts.private}`).join(','),
      EDGE_NETWORKS: edges.map(({ address }) => `${address}/32`).join(','),
      CARRIER_NETWORKS: inventory.carrierNetworks.join(','),
      ...carrierListeners(host),
      ...inventory.settings.media,
    }),
    environment('/etc/disca/shipper.env', {
      CONTROL_URL: `http://${control}`,
      NODE_NAME: host.name,
      OPS_HOST: host.address,
    }),
    filled('/etc/haproxy/media.cfg', 'haproxy/media.cfg.in', {}),
    filled('/etc/haproxy/voice.cfg', 'haproxy/voice.cfg.in', {
      VOICE_LISTEN: control,
      VOICE_TLS: usesTls(inventory) ? voiceTls(at(certificateFile), at(authorityFile)) : '',
      ...voiceServers(context),
    }),
    haproxyStart(['media', 'voice'], at),
    confidential(
      plain(
        certificateFile,
        `${secrets(nodeCertificateOf(host.name))}\n${secrets(nodeCertificateKeyOf(host.name))}\n`,
      ),
    ),
    confidential(plain(authorityFile, `${secrets('node_authority')}\n`)),
    credential('node_secret', secrets(nodeSecretOf(host.name))),
    credential('ari_password', secrets('ari_password')),
    ...(host.carrierAddress === undefined ? [] : carrierCertificate(context)),
  ];
}

const home = '/var/lib/disca-media';

/** The node sees its home as /srv/disca. */
const carrierListeners = ({ carrierAddress }: HostContext<'media'>['host']): Record<string, string> =>
  carrierAddress === undefined
    ? {}
    : {
        CARRIER_SIP: `${carrierAddress}:${carrierPorts.sip}`,
        CARRIER_TLS: `${carrierAddress}:${carrierPorts.tls}`,
        CARRIER_CERTIFICATE_FILE: '/srv/disca/tls/carrier.crt',
        CARRIER_CERTIFICATE_KEY_FILE: '/srv/disca/tls/carrier.key',
      };

const carrierCertificate = ({ secrets }: HostContext<'media'>): HostFile[] => [
  plain(`${home}/tls/carrier.crt`, `${secrets('certificate')}\n`),
  confidential(plain(`${home}/tls/carrier.key`, `${secrets('certificate_key')}\n`)),
  owners([`z ${home}/tls/carrier.key 0600 disca-media disca-media`]),
];

/** A load balancer with no connection chooses the first server, so each node has another first one. */
function voiceServers({ inventory, host }: HostContext<'media'>): Record<string, string | number> {
  const apps = hostsOf(inventory, 'app');
  const turn = hostsOf(inventory, 'media').findIndex(({ name }) => name === host.name) % apps.length;
  const servers = [...apps.slice(turn), ...apps.slice(0, turn)].flatMap(
    ({ address }, index): [string, string | number][] => [
      [`VOICE_${index + 1}`, `${address}:${usesTls(inventory) ? appPorts.voiceTls : appPorts.voice}`],
      [`VOICE_${index + 1}_OPS_ADDRESS`, address],
      [`VOICE_${index + 1}_OPS_PORT`, appPorts.voiceOps],
    ],
  );
  return Object.fromEntries(servers);
}

import {
  credential,
  edgePorts,
  environment,
  type HostContext,
  type HostFile,
  nodeSipPort,
  seenAddress,
  sharedPorts,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';
import { nodeSecretOf } from './secrets.ts';

/** The media node and its shipper. */
export function mediaFiles({ inventory, host, secrets }: HostContext<'media'>): HostFile[] {
  const edges = hostsOf(inventory, 'edge');
  const control = `${inventory.private.sharedAddress}:${sharedPorts.voice}`;
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
      ...inventory.settings.media,
    }),
    environment('/etc/disca/shipper.env', {
      CONTROL_URL: `http://${control}`,
      NODE_NAME: host.name,
      OPS_HOST: host.address,
    }),
    credential('node_secret', secrets(nodeSecretOf(host.name))),
    credential('ari_password', secrets('ari_password')),
  ];
}

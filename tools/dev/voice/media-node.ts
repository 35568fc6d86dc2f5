import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { type RunningAsterisk, startAsterisk } from '../services/asterisk.ts';
import { asText, type EdgeAddresses, type SipAddress } from './cell.ts';
import { certificateAuthority, issueCertificate } from './certificates.ts';

export interface MediaNodeOptions {
  /** Name registered with call control. */
  node: string;
  /** Name of the service in ./dev. */
  name?: string;
  dir: string;
  sip: SipAddress;
  /** Edges through which the node reaches phones. */
  edges: EdgeAddresses[];
  controlUrl: string;
  controlSecret: string;
  ari: { password: string; port?: number };
  rtpTimeoutSeconds?: number;
  /** Networks from which the node accepts SIP; default: this machine. */
  networks?: { edges: string; carriers: string };
  /** Public media address, if behind NAT. */
  announcedAddress?: string;
  /** Separate listeners for carriers; TLS has a certificate of this checkout's CA. */
  carriers?: { sip?: SipAddress; tls?: SipAddress };
  outlives?: boolean;
}

export const mediaNodeTemplates = join(root, 'deploy/asterisk');

const loopback = '127.0.0.0/8';
const rtpTimeoutSeconds = 15;
/** Without 10080, to which browsers refuse to send. */
export const rtpPorts = { from: 10_100, to: 19_999 };

export async function startMediaNode(options: MediaNodeOptions): Promise<RunningAsterisk> {
  const { node, sip, edges, carriers } = options;
  if (carriers?.tls) await prepareTls(join(options.dir, 'etc'), carriers.tls);
  return await startAsterisk({
    name: options.name ?? `${node}-${sip.address}`,
    dir: options.dir,
    templates: mediaNodeTemplates,
    values: {
      NODE: node,
      ENTITY_ID: entityId(node),
      CONTROL_URL: options.controlUrl,
      CONTROL_SECRET: options.controlSecret,
      SIP_ADDRESS: sip.address,
      SIP_PORT: sip.port,
      SIP_DOMAIN: 'disca.localhost',
      MEDIA_ADDRESS: sip.address,
      ANNOUNCED_ADDRESS: options.announcedAddress ?? sip.address,
      RTP_FROM: rtpPorts.from,
      RTP_TO: rtpPorts.to,
      RTP_TIMEOUT: options.rtpTimeoutSeconds ?? rtpTimeoutSeconds,
      EDGES: edges.map((edge) => `${edge.id}=${asText(edge.private)}`).join(','),
      EDGE_NETWORKS: options.networks?.edges ?? loopback,
      CARRIER_NETWORKS: options.networks?.carriers ?? loopback,
      CARRIER_TRANSPORT: carriers?.sip ? 'carrier-udp' : 'private',
      CARRIER_SIP: carriers?.sip ? `carrier=${asText(carriers.sip)}` : '',
      CARRIER_TLS: carriers?.tls ? `carrier=${asText(carriers.tls)}` : '',
    },
    ari: { user: 'node', ...options.ari },
    outlives: options.outlives ?? false,
  });
}

async function prepareTls(folder: string, { address }: SipAddress): Promise<void> {
  await issueCertificate(folder, [address], 'carrier');
  cpSync(await certificateAuthority(), join(folder, 'carrier-ca.crt'));
}

/** Returns a locally administered MAC address, always the same for a node. */
function entityId(node: string): string {
  const bytes = createHash('sha256').update(node).digest('hex').slice(0, 10).match(/../g) ?? [];
  return ['02', ...bytes].join(':');
}

import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { capture } from '../run-command.ts';
import { type RunningAsterisk, startAsterisk } from '../services/asterisk.ts';
import { cachedAt, makeOnce } from './cache.ts';
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
  await prepareMusic(join(options.dir, 'music'));
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

const writeMusic = join(root, 'deploy/containers/bin/write-music');

/** Copies what parties hear on hold, as deploy/containers/bin/start-media writes it. */
async function prepareMusic(folder: string): Promise<void> {
  const written = cachedAt('music', readFileSync(writeMusic, 'utf8'));
  await makeOnce(written, async (unfinished) => {
    const { exitCode, output } = await capture(writeMusic, [unfinished]);
    if (exitCode !== 0) throw new Error(`The music on hold could not be written:\n${output}`);
  });
  cpSync(written, folder, { recursive: true });
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

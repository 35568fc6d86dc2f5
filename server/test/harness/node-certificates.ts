import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCertificates,
  nodeCertificateKeyOf,
  nodeCertificateOf,
} from '../../../deploy/inventory/certificates.ts';

export interface KeyPair {
  cert: string;
  key: string;
}

/** An authority of media nodes with the certificates that deploy/inventory creates. */
export interface NodeCertificates {
  authority: string;
  voice: KeyPair;
  ofNode(name: string): KeyPair;
  /** Settings of voice. */
  settings: Record<string, string>;
  /** Files as HAProxy of a media node reads them. */
  files(node: string): { certificateFile: string; authorityFile: string };
  remove(): void;
}

export function makeNodeCertificates(nodes: string[]): NodeCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'disca-nodes-'));
  createCertificates(folder, nodes);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const authority = read('node_authority');
  const voice = { cert: read('voice_certificate'), key: read('voice_certificate_key') };
  const ofNode = (name: string): KeyPair => ({
    cert: read(nodeCertificateOf(name)),
    key: read(nodeCertificateKeyOf(name)),
  });
  return {
    authority,
    voice,
    ofNode,
    settings: {
      VOICE_CERTIFICATE: voice.cert,
      VOICE_CERTIFICATE_KEY: voice.key,
      VOICE_NODE_AUTHORITY: authority,
    },
    files(node) {
      const { cert, key } = ofNode(node);
      const certificateFile = join(folder, `${node}.pem`);
      writeFileSync(certificateFile, cert + key);
      return { certificateFile, authorityFile: join(folder, 'node_authority') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

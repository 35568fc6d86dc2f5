import type { FastifyInstance } from 'fastify';
import { nodeCredentials, readDetailRecord } from '../adapters/asterisk/index.ts';
import { storeRecording } from '../contexts/recordings/index.ts';
import { type ControlDeps, isNodeSecret, receiveRecords } from '../contexts/telephony/index.ts';
import { buildNodes, type NodesDeps } from '../http/nodes.ts';
import { observeUploads } from './observe/uploads.ts';
import type { Base } from './wire.ts';

/**
 * Returns how to build, for each server, the HTTP application that receives detail records and recordings from the
 * shippers of media nodes. The applications share their metrics.
 */
export function createNodeUploads(
  base: Base,
  deps: ControlDeps,
): (createServer: NodesDeps['createServer']) => FastifyInstance {
  const { log, instruments, tracing, db, clock, storage, keyRing, retentionDays } = base;
  const uploads: Omit<NodesDeps, 'createServer'> = {
    async identify(request) {
      const credentials = nodeCredentials(request);
      if (!credentials) return undefined;
      return (await isNodeSecret(db, credentials.name, credentials.secret)) ? credentials.name : undefined;
    },
    async receiveRecords(node, lines, isComplete) {
      const records = lines.map(readDetailRecord).filter((record) => record !== undefined);
      await receiveRecords(deps, node, records, isComplete);
    },
    storeRecording: observeUploads(instruments, tracing, (upload) =>
      storeRecording({ db, clock, storage, keyRing, retentionDays }, upload),
    ),
    onError: (err, node) => log.warn({ err, node }, 'media node upload rejected'),
  };
  return (createServer) => buildNodes({ ...uploads, createServer });
}

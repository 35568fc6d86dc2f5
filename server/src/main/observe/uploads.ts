import type { NodesDeps } from '../../http/nodes.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tracing } from '../../platform/telemetry/tracing.ts';
import type { Instruments } from './instruments.ts';

type Store = NodesDeps['storeRecording'];

/** Counts the recordings that media nodes upload, and adds them to the traces of their calls. */
export function observeUploads(instruments: Instruments, tracing: Tracing, store: Store): Store {
  const received = instruments.counter('disca_recordings_received_total');
  return async (upload) => {
    const startedAt = new Date();
    let outcome: Awaited<ReturnType<Store>> | 'failed' = 'failed';
    try {
      outcome = await store(upload);
      return outcome;
    } finally {
      received({ outcome });
      const { callId, node, bytes } = upload;
      if (tracing.isOn && isUuid(callId))
        tracing.recordCallSpan(callId, {
          name: 'recording upload',
          kind: 'server',
          startedAt,
          endedAt: new Date(),
          attributes: {
            'disca.call.id': callId,
            'disca.call.node': node,
            'disca.recording.bytes': bytes,
            'disca.recording.outcome': outcome,
          },
          errorType: outcome === 'failed' ? outcome : undefined,
        });
    }
  };
}

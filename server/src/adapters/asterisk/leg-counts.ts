import { z } from 'zod';
import type { LegCounts } from '../../contexts/calls/index.ts';

const count = z.coerce.number().int().nonnegative();
const seconds = z.coerce.number().nonnegative();

/** Fields of `CHANNEL(rtcp,all,audio)`. `lp` are packets lost to us, `rlp` those that the other side reports as lost. */
const fields = z.object({
  lp: count,
  rxjitter: seconds,
  rxcount: count,
  txjitter: seconds,
  txcount: count,
  rlp: count,
  rtt: seconds,
});

/** The engine subtracts unsigned numbers: if packets arrived twice, the number of lost ones wraps around. */
const largestLoss = 2 ** 31;
const lossOf = (packets: number): number => (packets < largestLoss ? packets : 0);

/**
 * Reads what the dialplan reports of a leg, its codec and the values of its RTP stack:
 * `(opus)ssrc=…;themssrc=…;lp=…`. Undefined for a leg without audio.
 */
export function readLegCounts(text: string | undefined): LegCounts | undefined {
  const [, codec, values = ''] = /^\(([^)|]*)[^)]*\)(.*)$/.exec(text ?? '') ?? [];
  const pairs = values.split(';').map((pair) => pair.split('='));
  const parsed = fields.safeParse(Object.fromEntries(pairs));
  if (!parsed.success) return undefined;
  const read = parsed.data;
  // Without a report of the other side, its values are zero.
  const isReported = read.rtt > 0 || read.txjitter > 0 || read.rlp > 0;
  return {
    received: read.rxcount,
    sent: read.txcount,
    receivedLost: read.rxcount > 0 ? lossOf(read.lp) : 0,
    sentLost: isReported ? lossOf(read.rlp) : null,
    receivedJitterSeconds: read.rxjitter,
    sentJitterSeconds: isReported ? read.txjitter : null,
    roundTripSeconds: read.rtt > 0 ? read.rtt : null,
    codec: codec || null,
  };
}

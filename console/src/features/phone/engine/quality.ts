import type { Quality } from '../state.ts';

/** Fields of the WebRTC statistics that are used, of all types. */
interface StatsEntry {
  type: string;
  packetsReceived?: number;
  packetsLost?: number;
  jitter?: number;
  roundTripTime?: number;
  currentRoundTripTime?: number;
  nominated?: boolean;
}

interface PacketCounts {
  received: number;
  lost: number;
}

const good = { lossPercent: 2, jitterMs: 30, roundTripMs: 300 };
const fair = { lossPercent: 5, jitterMs: 60, roundTripMs: 500 };

/** Returns a function that grades the connection by the packets since its previous call. */
export function createQualityMeter(connection: RTCPeerConnection): () => Promise<Quality | undefined> {
  let before: PacketCounts | undefined;
  return async () => {
    const parts = [...new Map((await connection.getStats()).entries()).values()] as StatsEntry[];
    const inbound = parts.find(({ type }) => type === 'inbound-rtp');
    if (!inbound) return undefined;
    const now = { received: inbound.packetsReceived ?? 0, lost: inbound.packetsLost ?? 0 };
    const last = before ?? { received: 0, lost: 0 };
    before = now;
    return gradeQuality({
      received: now.received - last.received,
      lost: Math.max(0, now.lost - last.lost),
      jitterMs: (inbound.jitter ?? 0) * 1_000,
      roundTripMs: roundTrip(parts),
    });
  };
}

function roundTrip(parts: StatsEntry[]): number | undefined {
  const reported = parts.find(({ type }) => type === 'remote-inbound-rtp')?.roundTripTime;
  const pair = parts.find((part) => part.type === 'candidate-pair' && part.nominated);
  const seconds = reported ?? pair?.currentRoundTripTime;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Grades the quality. No packets at all is the worst grade. */
export function gradeQuality(
  measured: PacketCounts & { jitterMs: number; roundTripMs: number | undefined },
): Quality {
  const { received, lost, jitterMs, roundTripMs } = measured;
  const lossPercent = received + lost === 0 ? 100 : (100 * lost) / (received + lost);
  const isWithin = (limits: typeof good): boolean =>
    lossPercent <= limits.lossPercent &&
    jitterMs <= limits.jitterMs &&
    (roundTripMs ?? 0) <= limits.roundTripMs;
  const grade = isWithin(good) ? 'good' : isWithin(fair) ? 'fair' : 'poor';
  return { grade, lossPercent, jitterMs, roundTripMs };
}

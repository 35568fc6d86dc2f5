import type { HostCell } from '../../harness/hosts/cell.ts';
import { until } from '../../harness/until.ts';
import type { CallRecord } from '../chaos/records.ts';
import { addLine, type Customer, untilRegistered } from '../many-nodes/line.ts';
import { numberEnding, type PlacedCall, placeCall } from '../many-nodes/place-calls.ts';

/** Calls in which both parties talk until they are hung up. */
export interface LongCalls {
  placed: PlacedCall[];
  /** Calls that ended before they were hung up. */
  faults: string[];
  hangUp(): Promise<void>;
}

/** Starts one call of each customer, at different edges, and waits until they are answered. */
export async function startLongCalls(cell: HostCell, customers: Customer[]): Promise<LongCalls> {
  const { simulator } = cell.engines;
  const lines = await Promise.all(
    customers.map((customer, index) =>
      addLine(cell, customer, index % 2 === 0 ? 1 : 2, { behaviour: 'answer' }),
    ),
  );
  await untilRegistered(lines, cell);
  const placed = await Promise.all(lines.map((line) => placeCall(line, numberEnding('16'))));
  const isTalking = (id: string | undefined): boolean => {
    const leg = simulator.carrierCalls().find(({ callId }) => callId === id);
    return leg?.answeredAtMs !== undefined && leg.endedAtMs === undefined;
  };
  await until(() => placed.every(({ id }) => isTalking(id)), 'the long calls are answered');
  const faults: string[] = [];
  return {
    placed,
    faults,
    async hangUp() {
      for (const { id } of placed) {
        if (id === undefined || !isTalking(id)) faults.push(`${id} ended before it was hung up`);
        else await simulator.hangUpPhone(id);
      }
    },
  };
}

const toleranceSeconds = 2;

/** Returns what is wrong with the record of a call that was hung up. */
export function checkLongCall({ id, cause, duration, priceMicros, atCarrier: [leg] }: CallRecord): string[] {
  const seenSeconds = ((leg?.endedAtMs ?? 0) - (leg?.answeredAtMs ?? 0)) / 1_000;
  const isRight =
    cause === 'NORMAL_CLEARING' && priceMicros > 0 && Math.abs(duration - seenSeconds) < toleranceSeconds;
  if (isRight) return [];
  return [
    `${id} ended with ${cause} after ${duration} s for ${priceMicros}; its carrier saw ${seenSeconds.toFixed(1)} s`,
  ];
}

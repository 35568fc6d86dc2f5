import type { LiveCall, RunningLeg } from '../../calls/index.ts';

/** How long a call lasts in which no leg is priced any more, from its answer on: like a call between extensions. */
export const freeCallSeconds = 4 * 3600;

/** A leg that was added has a hold of its own, or is free; of the first two, the destination has that of the call. */
export const isPriced = ({ letter, role, fundedSeconds }: RunningLeg): boolean =>
  fundedSeconds !== null || ((letter === 'a' || letter === 'b') && role === 'destination');

/** Returns the funded seconds of the legs that are priced, and when they answered. */
export function fundingsOf(
  call: Pick<LiveCall, 'fundedSeconds' | 'answeredOnNode' | 'answeredAt'>,
  legs: readonly RunningLeg[],
): { leg: RunningLeg; seconds: number; answeredOnNode: number; answeredAt: Date }[] {
  return legs.flatMap((leg) => {
    const { answeredOnNode, answeredAt } = leg.fundedSeconds === null ? call : leg;
    if (leg.state !== 'answered' || !isPriced(leg) || answeredOnNode === null || answeredAt === null)
      return [];
    return [{ leg, seconds: leg.fundedSeconds ?? call.fundedSeconds, answeredOnNode, answeredAt }];
  });
}

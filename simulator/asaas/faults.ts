/**
 * What goes wrong with a request. After the effect: the gateway did what it was asked and only its answer is lost.
 * Later: it answers 504 and does it when told to by `land()`.
 */
export type Fault =
  | 'silence'
  | 'silence-after-effect'
  | 'hang-up'
  | 'hang-up-after-effect'
  | '500'
  | '500-after-effect'
  | 'broken-json-after-effect'
  | '504-effect-later'
  | '401'
  | '429';

export interface FaultOptions {
  /** The beginning of the requests that it waits for, such as `POST /payments`; without it, any. */
  on?: string;
  times?: number;
}

/** Faults that were ordered, in that order; each is spent by the request that it hits. */
export function createFaults() {
  const ordered: { on: string; left: number; fault: Fault }[] = [];
  const races: { on: string; act: () => void }[] = [];

  return {
    order(fault: Fault, { on = '', times = 1 }: FaultOptions = {}) {
      ordered.push({ fault, on, left: times });
    },
    meanwhile(on: string, act: () => void) {
      races.push({ on, act });
    },
    take(request: string): Fault | undefined {
      const race = races.findIndex(({ on }) => request.startsWith(on));
      if (race >= 0) for (const { act } of races.splice(race, 1)) act();
      const next = ordered.find(({ on, left }) => left > 0 && request.startsWith(on));
      if (next) next.left -= 1;
      return next?.fault;
    },
    clear() {
      ordered.length = 0;
      races.length = 0;
    },
  };
}

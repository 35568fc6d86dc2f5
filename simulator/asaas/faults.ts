/**
 * Fault injected into a request. "After the effect" executes the request and loses only its response. "Later" responds
 * with 504 and executes the request when `land()` is called.
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
  /** Prefix of the requests to fail, such as `POST /payments`; default: any. */
  on?: string;
  times?: number;
}

/** Creates a queue of injected faults; each is consumed by the request that it fails. */
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

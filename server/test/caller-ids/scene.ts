import { secondsToTomorrow } from '../../src/contexts/caller-ids/code.rules.ts';
import type { PlaceCodeCall } from '../../src/contexts/caller-ids/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

export interface SpokenCode {
  number: string;
  code: string;
  locale: string;
}

/** A platform whose code calls reach an ear that remembers what it heard. */
export interface Scene {
  platform: Platform;
  spoken: SpokenCode[];
  /** Code calls are refused from here on, or no longer. */
  refuseCalls(isRefused: boolean): void;
}

export async function setScene(): Promise<Scene> {
  const spoken: SpokenCode[] = [];
  let isRefused = false;
  const placeCodeCall: PlaceCodeCall = async (_tx, { number, code, caller }) => {
    if (isRefused) throw new Refusal('INSUFFICIENT_CREDIT', 'No credit.');
    spoken.push({ number, code, locale: caller.locale });
  };
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' }, { placeCodeCall });
  // In the small hours, so that the day of no test ends before it shall.
  platform.clock.advance(secondsToTomorrow(platform.clock.now()) + 3600);
  return {
    platform,
    spoken,
    refuseCalls(refuse) {
      isRefused = refuse;
    },
  };
}

let numbers = 0;

/** A valid mobile number that no other test uses. */
export function freshNumber(): string {
  numbers += 1;
  return `55119${String(81_000_000 + numbers)}`;
}

export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

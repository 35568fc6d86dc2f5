import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatorInterface } from './interface.ts';
import type { SimulatedCall } from './notes.ts';

/** An outgoing call of a simulated party. */
export interface DialledCall {
  /** Current state of the call; undefined until the request was sent. */
  seen(): SimulatedCall | undefined;
  /** Resolves once the call is answered; throws if it ends first. */
  answered(): Promise<SimulatedCall>;
  ended(): Promise<SimulatedCall>;
  press(keys: string): Promise<void>;
  hangUp(): Promise<void>;
  /** Recording of the audio that this party received after the answer. */
  readonly heard: string;
}

/** What a calling party does after the answer: it records DTMF, or plays tones. */
export type Party = 'keys' | { tones: string };

export interface DialContext {
  engine: SimulatorInterface;
  calls(): SimulatedCall[];
  heardDir: string;
}

const betweenDigitsMs = 220;
const ringSeconds = 60;
/** Only ends tests that hang. */
const timeoutMs = 120_000;
const pollMs = 50;

export async function dial(
  { engine, calls, heardDir }: DialContext,
  { to, shown, shownName = '', party }: { to: string; shown: string; shownName?: string; party: Party },
): Promise<DialledCall> {
  const id = `dial-${randomBytes(6).toString('hex')}`;
  const seen = (): SimulatedCall | undefined => calls().find((call) => call.id === id);
  const leg = (): string => seen()?.leg ?? '';
  await engine.ask('POST', '/channels', {
    endpoint: 'Local/s@dial-out/n',
    context: 'party',
    extension: party === 'keys' ? 'keys' : 'tone',
    priority: 1,
    timeout: ringSeconds,
    variables: {
      __DIAL_ID: id,
      TO: to,
      SHOWN: shown,
      SHOWN_NAME: shownName,
      TONES: party === 'keys' ? '' : party.tones,
    },
  });
  return {
    seen,
    async answered() {
      const call = await until(seen, ({ answeredAtMs, endedAtMs }) => Boolean(answeredAtMs ?? endedAtMs));
      if (!call.answeredAtMs) throw new Error(`The call ended with SIP status ${call.status}.`);
      return call;
    },
    ended: () => until(seen, ({ endedAtMs }) => endedAtMs !== undefined),
    press: (keys) => press(engine, leg(), keys),
    hangUp: () => engine.ask('DELETE', `/channels/${leg()}`),
    heard: join(heardDir, `${id}.wav`),
  };
}

export async function press(engine: SimulatorInterface, leg: string, keys: string): Promise<void> {
  for (const key of keys) {
    await engine.pressDigit(leg, key);
    await sleep(betweenDigitsMs);
  }
}

async function until(
  look: () => SimulatedCall | undefined,
  holds: (call: SimulatedCall) => boolean,
): Promise<SimulatedCall> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const call = look();
    if (call && holds(call)) return call;
    if (Date.now() > deadline) throw new Error('The simulated call was not placed.');
    await sleep(pollMs);
  }
}

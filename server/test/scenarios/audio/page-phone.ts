import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstWord } from '../../../../simulator/voice/tones.ts';
import type { BrowserPhone } from '../../harness/networks/browser-phone.ts';
import type { PhoneEvent } from '../../harness/networks/page/messages.ts';
import { wavFile } from '../../harness/networks/tone-file.ts';
import type { AudioPhone, Hearing, Leg, LegState } from './phone.ts';

/** Returns the phone in a page as a party of measured calls. Recordings are written to the folder. */
export const pagePhone = (phone: BrowserPhone, domain: string, dir: string): AudioPhone => ({
  async expectCall(hertz) {
    await phone.prepare({ firstWord, hertz });
    const leg = legIn(phone, dir);
    return async () => ((await phone.count('call')) === 0 ? undefined : leg);
  },
  async dial(to, hertz) {
    await phone.prepare({ firstWord, hertz });
    await phone.dial(`sip:${to}@${domain}`);
    return legIn(phone, dir);
  },
});

function legIn(phone: BrowserPhone, dir: string): Leg {
  const file = join(dir, `page-${randomBytes(6).toString('hex')}.wav`);
  return {
    state: async () => stateFrom(await phone.events()),
    hangUp: () => phone.hangUp(),
    async heard(): Promise<Hearing> {
      const { rate, startMs, samples } = await phone.recording();
      writeFileSync(file, wavFile(rate, Buffer.from(samples, 'base64')));
      return { file, startMs };
    },
    forget: () => rmSync(file, { force: true }),
  };
}

function stateFrom(events: PhoneEvent[]): LegState | undefined {
  const find = (...names: string[]): PhoneEvent | undefined =>
    events.find(({ what }) => names.includes(what));
  const call = find('call');
  if (!call) return undefined;
  const answeredAtMs = find('accepted')?.atMs;
  const endedAtMs = find('ended', 'failed')?.atMs;
  return {
    callId: call.detail,
    ...(answeredAtMs === undefined ? {} : { answeredAtMs }),
    ...(endedAtMs === undefined ? {} : { endedAtMs }),
  };
}

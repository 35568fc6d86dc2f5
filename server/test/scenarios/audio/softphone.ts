import type {
  DialledCall,
  SimulatedCall,
  SimulatedPhone,
  VoiceSimulator,
} from '../../../../simulator/voice/index.ts';
import { speech } from '../../../../simulator/voice/tones.ts';
import type { AudioPhone, Leg } from './phone.ts';

/** The parts of a simulator that legs need. */
type Simulator = Pick<VoiceSimulator, 'heard' | 'forget' | 'hangUpPhone' | 'hangUpCarrier'>;

/** Returns the phone of a simulator as a party of measured calls. */
export const audioPhone = (simulator: Simulator, phone: SimulatedPhone): AudioPhone => ({
  async expectCall(hertz) {
    await phone.behave('tone', 0, 0, speech(hertz));
    const known = new Set(phone.calls().map(({ id }) => id));
    return () => legOf(simulator, () => phone.calls().find(({ id }) => !known.has(id)));
  },
  dial: async (to, hertz) => legOfDialler(simulator, await phone.dial(to, { tones: speech(hertz) })),
});

/** Returns the leg of a called party as soon as there is one. */
export function legOf(simulator: Simulator, find: () => SimulatedCall | undefined): Leg | undefined {
  const call = find();
  if (!call) return undefined;
  const { id, callId, side } = call;
  return {
    state: find,
    hangUp: () => (side === 'phone' ? simulator.hangUpPhone(callId) : simulator.hangUpCarrier(callId)),
    heard: async () => ({ file: simulator.heard(callId, side) }),
    forget: () => simulator.forget(id),
  };
}

export const legOfDialler = (simulator: Simulator, { seen, heard, hangUp }: DialledCall): Leg => ({
  state: seen,
  hangUp,
  heard: async () => ({ file: heard }),
  forget() {
    const call = seen();
    if (call) simulator.forget(call.id);
  },
});

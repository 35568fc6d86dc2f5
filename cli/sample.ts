import { randomUUID } from 'node:crypto';
import type { EventType, Payloads, WebhookPayload } from '../sdk/src/index.ts';

const talkSeconds = 42;
const ringSeconds = 8;
const timezone = 'America/Sao_Paulo';

const wallTime = (at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).format(
    at,
  );

/** Returns a sample event in the format of the service. */
export function sampleOf(type: EventType, at = new Date()): WebhookPayload {
  return makers(at)[type]();
}

type Makers = { [Type in EventType]: () => Payloads[Type] };

function makers(at: Date): Makers {
  const before = (seconds: number) => new Date(at.getTime() - seconds * 1000);
  const started = before(talkSeconds + ringSeconds);
  const answered = before(talkSeconds);
  const common = { version: '1.8', accountSequence: 0, domain: 'example.disca.localhost' };
  const call = {
    ...common,
    id: randomUUID(),
    direction: 'outbound' as const,
    caller: '1000',
    called: '5511987654321',
    timezone,
    startedAt: wallTime(started),
    startedAtIso: started.toISOString(),
    answeredAt: null,
    answeredAtIso: null,
    endedBy: null,
    metadata: { test: true },
  };
  const talked = { ...call, answeredAt: wallTime(answered), answeredAtIso: answered.toISOString() };
  const ended = {
    ...talked,
    endedAt: wallTime(at),
    endedAtIso: at.toISOString(),
    endedBy: 'destination' as const,
    duration: talkSeconds,
    hangupCause: 'NORMAL_CLEARING',
    hangupCauseCode: '16',
    recordUrl: null,
  };
  const happened = { ...common, occurredAt: wallTime(at), occurredAtIso: at.toISOString() };
  const price = { billedDuration: talkSeconds, minutePrice: 0.12, callPrice: 0.084 };
  const held = { party: 'destination' as const };
  const joined = { to: '1001', result: 'completed' as const, hangupCause: null };
  const transferred = { ...joined, kind: 'attended' as const };
  const note = { disposition: 'Callback requested', note: 'Asked for a quote by Friday.', tags: ['quote'] };
  return {
    'channel-create': () => ({ ...call, eventType: 'channel-create', sequence: 1 }),
    'channel-ringing': () => ({ ...call, eventType: 'channel-ringing', sequence: 2 }),
    'channel-answer': () => ({ ...talked, eventType: 'channel-answer', sequence: 3 }),
    'channel-hangup': () => ({ ...ended, eventType: 'channel-hangup', sequence: 4 }),
    'call-priced': () => ({ ...ended, ...price, eventType: 'call-priced', sequence: 5 }),
    'recording-ready': () => ({ ...ended, eventType: 'recording-ready', sequence: 6 }),
    'call-updated': () => ({ ...ended, ...note, eventType: 'call-updated' }),
    'channel-hold': () => ({ ...talked, ...held, eventType: 'channel-hold', sequence: 4 }),
    'channel-unhold': () => ({ ...talked, ...held, eventType: 'channel-unhold', sequence: 5 }),
    'channel-transfer': () => ({ ...talked, ...transferred, eventType: 'channel-transfer', sequence: 4 }),
    'channel-conference': () => ({ ...talked, ...joined, eventType: 'channel-conference', sequence: 4 }),
    'charge-paid': () => ({ ...happened, eventType: 'charge-paid', id: 0, amount: 50, paymentMethod: 'PIX' }),
    'balance-low': () => ({ ...happened, eventType: 'balance-low', id: '0', available: 9.5, book: 'test' }),
  };
}

import { callSteps, controlEvents, type EventType, followingEvents } from '../../../platform/event-types.ts';

/** A sample event for testing a receiver; no such call or charge exists. */
export interface Sample {
  type: string;
  subjectId: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  accountSequence: number;
  call: Record<string, unknown> | null;
}

const talkSeconds = 42;
const ringSeconds = 8;

export function sampleOf(
  type: EventType,
  { domain, callId, at }: { domain: string; callId: string; at: Date },
): Sample {
  const common = { type, occurredAt: at, accountSequence: 0 };
  if (type === 'charge-paid') {
    const data = { id: 0, amount: 50, paymentMethod: 'PIX', test: true };
    return { ...common, subjectId: '0', data, call: null };
  }
  if (type === 'balance-low') {
    const data = { available: 9.5, book: 'test', test: true };
    return { ...common, subjectId: '0', data, call: null };
  }
  const call = sampleCall(type, domain, callId, at);
  const control = sampleControl[type];
  if (control) return { ...common, subjectId: callId, data: { sequence: 4, ...control, call }, call: null };
  const sequence = ([...callSteps, ...followingEvents] as readonly EventType[]).indexOf(type) + 1;
  const isStep = (callSteps as readonly EventType[]).includes(type);
  if (isStep) return { ...common, subjectId: callId, data: { sequence, call }, call: null };
  if (type === 'call-updated')
    return { ...common, subjectId: callId, data: {}, call: { ...call, ...sampleNote } };
  return { ...common, subjectId: callId, data: { sequence, id: callId }, call };
}

const sampleControl: Partial<Record<EventType, Record<string, unknown>>> = {
  'channel-hold': { party: 'destination' },
  'channel-unhold': { party: 'destination' },
  'channel-transfer': { kind: 'attended', to: '1001', result: 'completed' },
  'channel-conference': { to: '1001', result: 'completed' },
} satisfies Record<(typeof controlEvents)[number], Record<string, unknown>>;

const sampleNote = {
  disposition: 'Callback requested',
  note: 'Asked for a quote by Friday.',
  tags: ['quote'],
};

function sampleCall(type: string, domain: string, id: string, at: Date): Record<string, unknown> {
  const before = (seconds: number): string => new Date(at.getTime() - seconds * 1000).toISOString();
  const isAnswered = !['channel-create', 'channel-ringing'].includes(type);
  const hasEnded = isAnswered && !['channel-answer', ...controlEvents].includes(type);
  return {
    id,
    domain,
    call_type: 'outbound',
    from: '1000',
    to: '5511987654321',
    started_at: before(talkSeconds + ringSeconds),
    answered_at: isAnswered ? before(talkSeconds) : null,
    ended_at: hasEnded ? before(0) : null,
    duration: hasEnded ? talkSeconds : 0,
    billed_duration: hasEnded ? talkSeconds : null,
    hangup_cause: hasEnded ? 'NORMAL_CLEARING' : null,
    ended_by: hasEnded ? 'destination' : null,
    recorded: true,
    minute_price_micros: 120_000,
    call_price_micros: 84_000,
    metadata: { test: true },
  };
}

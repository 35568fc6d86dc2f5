import type { Call, CallDeliveries, Delivery, Price } from '../queries.ts';

export type Actor = 'you' | 'phone' | 'node' | 'destination' | 'ledger' | 'receiver' | 'system';

/** One event in the life of a call, and its actor. The text is `calls.steps.<what>`. */
export interface Step {
  key: string;
  at: string;
  actor: Actor;
  what: (typeof order)[number] | Delivery['state'];
  tone?: 'good' | 'bad';
  /** Interpolation values of the text: phone numbers, amounts and counts. */
  values: Partial<{
    ramal: string;
    to: string;
    cause: string;
    reais: number;
    times: number;
    type: Delivery['type'];
    gateway: string;
    delivery: Delivery;
    word: string;
    person: string;
  }>;
}

/** Returns all steps in chronological order; steps with equal times are in causal order. */
export function timelineSteps(call: Call, price: Price | undefined, receivers: CallDeliveries[]): Step[] {
  const all = [
    ...call.timeline.map((moment, index) => callStep(call, moment, index)),
    ...(price ? moneySteps(price) : []),
    ...receivers.flatMap(({ gateway, deliveries }) => deliveries.map((each) => deliveryStep(gateway, each))),
  ];
  return all
    .map((step, index) => ({ step, index, ms: Date.parse(step.at) }))
    .sort((a, b) => a.ms - b.ms || rank(a.step) - rank(b.step) || a.index - b.index)
    .map(({ step }) => step);
}

/** Causal order of the steps before the deliveries. */
const order = [
  'queued',
  'queuedBy',
  'held',
  'ringing',
  'dialing',
  'answered',
  'audioMissing',
  'audioUndecodable',
  'audioOtherAddress',
  'audioReturned',
  'putOnHold',
  'resumed',
  'muted',
  'unmuted',
  'transferStarted',
  'partyJoined',
  'transferCompleted',
  'transferCancelled',
  'transferFailed',
  'partyFailed',
  'partyLeft',
  'heldMore',
  'other',
  'ended',
  'charged',
  'released',
] as const;

function rank({ what }: Step): number {
  const index = (order as readonly string[]).indexOf(what);
  return index === -1 ? order.length : index;
}

function callStep(call: Call, moment: Call['timeline'][number], index: number): Step {
  const { at, what } = moment;
  const step = { key: `call-${index}`, at, values: { ramal: call.from, to: call.to } };
  switch (what) {
    case 'queued':
      if (!call.requested_by) return { ...step, actor: 'you', what };
      return {
        ...step,
        actor: 'you',
        what: 'queuedBy',
        values: { ...step.values, person: call.requested_by.name },
      };
    case 'ringing':
      return { ...step, actor: 'phone', what };
    case 'dialing':
      return { ...step, actor: 'node', what };
    case 'answered':
      return { ...step, actor: 'destination', what, tone: 'good' };
    case 'audio_missing':
      return {
        ...step,
        actor: partyOf(moment.from),
        what: audioSteps.get(moment.reason) ?? 'audioMissing',
        tone: 'bad',
      };
    case 'audio_returned':
      return {
        ...step,
        actor: partyOf(moment.from),
        what: 'audioReturned',
        tone: 'good',
      };
    case 'held':
    case 'resumed':
    case 'muted':
    case 'unmuted':
      return { ...step, actor: partyOf(moment.party), what: controlSteps[what] };
    case 'party_left':
    case 'party_joined':
    case 'transfer_started':
    case 'transfer_completed':
    case 'transfer_cancelled':
    case 'transfer_failed':
      return partyStep(call, moment, what, step);
    case 'ended':
      return endStep(call, step);
    default:
      return { ...step, actor: 'system', what: 'other', values: { word: what } };
  }
}

const audioSteps = new Map<unknown, Step['what']>([
  ['undecodable', 'audioUndecodable'],
  ['other_address', 'audioOtherAddress'],
]);

/** Credit is held as well, so this step has another name here than in the API. */
const controlSteps = {
  held: 'putOnHold',
  resumed: 'resumed',
  muted: 'muted',
  unmuted: 'unmuted',
} as const satisfies Record<string, Step['what']>;

const partySteps = {
  party_left: 'partyLeft',
  party_joined: 'partyJoined',
  transfer_started: 'transferStarted',
  transfer_completed: 'transferCompleted',
  transfer_cancelled: 'transferCancelled',
  transfer_failed: 'transferFailed',
} as const satisfies Record<string, Step['what']>;

/** A step of a transfer or of a party that was added. The timeline names the party by its leg. */
function partyStep(
  call: Call,
  moment: Call['timeline'][number],
  what: keyof typeof partySteps,
  step: Pick<Step, 'key' | 'at' | 'values'>,
): Step {
  const leg = call.legs?.find((each) => each.leg === moment.leg);
  const cause = typeof moment.cause === 'string' ? moment.cause : '';
  const values = { ...step.values, to: leg?.number ?? '', cause };
  // A party that was invited and has not answered.
  if (what === 'party_left' && leg?.purpose === 'conference' && leg.answered_at === null)
    return { ...step, actor: partyOf(moment.party), what: 'partyFailed', tone: 'bad', values };
  const isOfParty = what === 'party_left' || what === 'party_joined';
  const tone = what === 'transfer_failed' ? 'bad' : what === 'transfer_completed' ? 'good' : undefined;
  return {
    ...step,
    actor: isOfParty ? partyOf(moment.party) : 'phone',
    what: partySteps[what],
    values,
    ...(tone && { tone }),
  };
}

const partyOf = (party: unknown): Actor => parties[party === 'extension' ? 'extension' : 'destination'];

const parties = { extension: 'phone', destination: 'destination', system: 'system' } as const;

function endStep(call: Call, step: Pick<Step, 'key' | 'at' | 'values'>): Step {
  const wasTalked = call.duration > 0;
  return {
    ...step,
    actor: parties[call.ended_by ?? 'system'],
    what: 'ended',
    ...(wasTalked ? {} : { tone: 'bad' as const }),
    values: { ...step.values, cause: call.hangup_cause ?? '' },
  };
}

/** A call with further legs has a hold for each of them. */
const moneySteps = ({ entries, legs }: Price): Step[] =>
  [entries, ...legs.map((leg) => leg.entries)].flatMap(stepsOfHold);

/** Credit holds of long calls are renewed every minute; the renewals are shown as one step. */
function stepsOfHold(entries: Price['entries']): Step[] {
  const [first, ...renewals] = entries.filter(({ type }) => type === 'hold');
  const money = (id: string, at: string, what: Step['what'], reais: number, times = 1): Step => ({
    key: `money-${id}`,
    at,
    actor: 'ledger',
    what,
    values: { reais, times },
  });
  const renewed = renewals.reduce((sum, { held }) => sum + held, 0);
  const rest = entries.flatMap((entry) => {
    if (entry.type === 'call') return [money(entry.id, entry.at, 'charged', entry.revenue)];
    return entry.type === 'release' ? [money(entry.id, entry.at, 'released', entry.available)] : [];
  });
  return [
    ...(first ? [money(first.id, first.at, 'held', first.held)] : []),
    ...(renewals[0] ? [money(renewals[0].id, renewals[0].at, 'heldMore', renewed, renewals.length)] : []),
    ...rest,
  ];
}

function deliveryStep(gateway: string, delivery: Delivery): Step {
  const { id, state, type, attempts, createdAt } = delivery;
  const at = (state === 'delivered' ? attempts.at(-1)?.at : attempts[0]?.at) ?? createdAt;
  return {
    key: `delivery-${id}`,
    at,
    actor: 'receiver',
    what: state,
    ...(state === 'delivered' ? { tone: 'good' as const } : {}),
    ...(state === 'failed' || (state === 'pending' && attempts.length > 0) ? { tone: 'bad' as const } : {}),
    values: { gateway, type, delivery },
  };
}

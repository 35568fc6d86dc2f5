import type { FakeAsaas, FakeEvent, FakePayment } from '../../../../simulator/asaas/index.ts';

/** Creates a Mulberry32 generator, so that a failure can be reproduced from its seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const refundedCentavos = ({ refunds }: FakePayment): number =>
  (refunds ?? []).reduce((sum, { value }) => sum + Math.round(value * 100), 0);

/** Returns the amount that the gateway holds for us from a payment. */
export function heldCentavos(payment: FakePayment): number {
  const isPaid = payment.status === 'CONFIRMED' || payment.status === 'RECEIVED';
  return isPaid ? Math.round(payment.value * 100) - refundedCentavos(payment) : 0;
}

type Change = (asaas: FakeAsaas, payment: FakePayment, random: () => number) => void;

const changes = {
  pay: (asaas, { id }) => asaas.pay(id),
  confirm: (asaas, { id }) => asaas.confirm(id),
  overdue: (asaas, { id }) => asaas.overdue(id),
  analyse: (asaas, { id }) => asaas.turn(id, 'AWAITING_RISK_ANALYSIS'),
  chargeback: (asaas, { id }) => asaas.chargeback(id),
  dispute: (asaas, { id }) => asaas.turn(id, 'CHARGEBACK_DISPUTE'),
  win: (asaas, { id }) => asaas.reverseChargeback(id),
  refund: (asaas, { id }) => asaas.refund(id),
  refundPart(asaas, payment, random) {
    const part = 1 + Math.floor(random() * 60);
    const left = Math.round(payment.value * 100) - refundedCentavos(payment);
    if (part < left) asaas.refund(payment.id, part / 100);
  },
} satisfies Record<string, Change>;

/** Probabilities of events by payment status. Final events are rare, so that payments stay active. */
const chances: Partial<Record<FakePayment['status'], Partial<Record<keyof typeof changes, number>>>> = {
  PENDING: { analyse: 0.15, overdue: 0.15, confirm: 0.3, pay: 0.4 },
  AWAITING_RISK_ANALYSIS: { overdue: 0.2, confirm: 0.8 },
  OVERDUE: { confirm: 0.4, pay: 0.6 },
  CONFIRMED: { pay: 0.6, chargeback: 0.3, refundPart: 0.1 },
  RECEIVED: { refundPart: 0.5, chargeback: 0.49, refund: 0.01 },
  CHARGEBACK_REQUESTED: { win: 0.97, dispute: 0.03 },
  CHARGEBACK_DISPUTE: { win: 1 },
};

function applyRandomChange(asaas: FakeAsaas, payment: FakePayment, random: () => number): void {
  let chance = random();
  for (const [name, share] of Object.entries(chances[payment.status] ?? {})) {
    chance -= share;
    if (chance < 0) {
      changes[name as keyof typeof changes](asaas, payment, random);
      return;
    }
  }
}

export interface Storm {
  paymentIds: string[];
  events: number;
  rounds: number;
  seed: number;
}

/**
 * Applies random events to payments and yields, round by round, the notifications that arrive: one in eight is lost,
 * one in four is duplicated, one in three arrives rounds later, and all are out of order.
 */
export async function* generateStorm(asaas: FakeAsaas, storm: Storm): AsyncGenerator<FakeEvent[]> {
  const random = randomFrom(storm.seed);
  const arrivals: FakeEvent[][] = Array.from({ length: storm.rounds }, () => []);
  let sent = 0;
  for (let round = 0; round < storm.rounds; round += 1) {
    const events = runRound(
      asaas,
      storm,
      Math.ceil((storm.events * (round + 1)) / storm.rounds) - sent,
      random,
    );
    sent += events.length;
    await asaas.deliver({ drop: 1, via: () => Promise.resolve(200) });
    for (const event of events) {
      const copies = random() < 0.125 ? 0 : random() < 0.25 ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const late = random() < 0.33 ? Math.floor(random() * (storm.rounds - round)) : 0;
        arrivals[round + late]?.push(event);
      }
    }
    yield shuffled(arrivals[round] ?? [], random);
  }
}

function runRound(asaas: FakeAsaas, storm: Storm, events: number, random: () => number): FakeEvent[] {
  const ownIds = new Set(storm.paymentIds);
  for (;;) {
    const waiting = asaas.events();
    if (waiting.length >= events) return waiting;
    for (const payment of asaas.payments())
      if (ownIds.has(payment.id)) applyRandomChange(asaas, payment, random);
  }
}

const shuffled = <Item>(items: Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

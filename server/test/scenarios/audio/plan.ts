import type { Random } from '../chaos/random.ts';

export const shapes = ['click-to-call', 'dialled', 'internal', 'inbound'] as const;
export const transports = ['udp', 'tcp', 'tls'] as const;
export type Shape = (typeof shapes)[number];
export type Transport = (typeof transports)[number];

export interface PlannedCall {
  shape: Shape;
  /** Transport of the phone, and of the caller's phone in internal calls. */
  transport: Transport;
  /** Transport of the called phone in internal calls: another one. */
  other: Transport;
  isRecorded: boolean;
  talkMs: number;
  /** Which party hangs up. */
  endedBy: 'caller' | 'called';
  /** Node that receives an inbound call. */
  node: 0 | 1;
}

const talkMs = { least: 2_500, most: 4_500 };

/** Number of combinations that one round of the plan contains. */
export const combinations = shapes.length * transports.length * 2;

/** Plans every combination once before any is repeated, in random order. */
export function planCalls(random: Random, count: number): PlannedCall[] {
  const calls: PlannedCall[] = [];
  while (calls.length < count) calls.push(...random.shuffle(round(random)));
  return calls.slice(0, count);
}

const round = (random: Random): PlannedCall[] =>
  shapes.flatMap((shape) =>
    transports.flatMap((transport) =>
      [true, false].map((isRecorded) => ({
        shape,
        transport,
        other: random.pick(transports.filter((each) => each !== transport)),
        isRecorded,
        talkMs: Math.round(random.between(talkMs.least, talkMs.most)),
        endedBy: random.pick(['caller', 'called'] as const),
        node: random.pick([0, 1] as const),
      })),
    ),
  );

import type { Random } from '../chaos/random.ts';

export const shapes = ['click-to-call', 'dialled', 'internal', 'inbound'] as const;
/** Softphones by transport, TLS with SRTP; `nat` is a UDP softphone behind a router. */
export const softphones = ['udp', 'tcp', 'tls', 'nat'] as const;
/** Browsers behind a router: with direct candidates, and through the TURN relay only. */
export const browsers = ['browser', 'relay'] as const;
export const kinds = [...softphones, ...browsers] as const;
export type Shape = (typeof shapes)[number];
export type Softphone = (typeof softphones)[number];
export type BrowserKind = (typeof browsers)[number];
/** Kind of phone. */
export type Kind = (typeof kinds)[number];

export interface PlannedCall {
  shape: Shape;
  /** Kind of the phone, and of the caller's phone in internal calls. */
  kind: Kind;
  /** Kind of the called phone in internal calls: another one. */
  other: Kind;
  isRecorded: boolean;
  talkMs: number;
  /** Which party hangs up. */
  endedBy: 'caller' | 'called';
  /** Node that receives an inbound call. */
  node: 0 | 1;
}

/** Long enough for a gap, short enough for thousands of calls. */
const talkMs = { least: 1_800, most: 2_800 };

/** Number of combinations that one round of the plan contains. */
export const combinations = shapes.length * kinds.length * 2;

/**
 * Plans every combination once before any is repeated, in random order. A sample has every shape with every kind of
 * phone once, alternately recorded.
 */
export function planCalls(random: Random, count: number, isSample = false): PlannedCall[] {
  const calls: PlannedCall[] = [];
  const isPlanned = ({ shape, kind, isRecorded }: PlannedCall): boolean =>
    !isSample || isRecorded === ((shapes.indexOf(shape) + kinds.indexOf(kind)) % 2 === 0);
  while (calls.length < count) calls.push(...random.shuffle(round(random).filter(isPlanned)));
  return calls.slice(0, count);
}

const round = (random: Random): PlannedCall[] =>
  shapes.flatMap((shape) =>
    kinds.flatMap((kind) =>
      [true, false].map((isRecorded) => ({
        shape,
        kind,
        other: random.pick(kinds.filter((each) => each !== kind)),
        isRecorded,
        talkMs: Math.round(random.between(talkMs.least, talkMs.most)),
        endedBy: random.pick(['caller', 'called'] as const),
        node: random.pick([0, 1] as const),
      })),
    ),
  );

/** Kinds of the phones that take part in the call. */
export const kindsOf = ({ shape, kind, other }: PlannedCall): Kind[] =>
  shape === 'internal' ? [kind, other] : [kind];

export const isBrowser = (kind: Kind): boolean => browsers.some((each) => each === kind);

export const needsBrowser = (planned: PlannedCall): boolean => kindsOf(planned).some(isBrowser);

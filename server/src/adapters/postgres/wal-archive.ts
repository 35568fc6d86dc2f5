/** WAL in a backup repository. */
export interface ArchivedWal {
  /** Time of archiving by the name of the segment. */
  segments: Map<string, Date>;
  /** History files by timeline. */
  histories: Map<number, string>;
}

/** WAL that can be replayed from a segment on. */
export interface Replayable {
  timeline: number;
  /** The last segment before the end of the WAL or a gap. */
  last?: { name: string; archivedAt: Date };
  /** The first missing segment, if later ones exist. */
  missing?: string;
}

// initdb's default size of a segment.
const segmentBytes = 16 * 1024 * 1024;
const segmentsPerLog = 0x1_0000_0000 / segmentBytes;

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);

/** Number of a segment, counted from the start of the WAL; it is the same in every timeline. */
export const segmentNumber = (name: string): number =>
  Number.parseInt(name.slice(8, 16), 16) * segmentsPerLog + Number.parseInt(name.slice(16, 24), 16);

const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

const segmentName = (timeline: number, number: number): string =>
  [timeline, Math.floor(number / segmentsPerLog), number % segmentsPerLog]
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase();

/** Follows the WAL from a segment to its end or the first gap, on a timeline; by default the newest. */
export function followWal(wal: ArchivedWal, from: string, timeline = newestTimeline(wal)): Replayable {
  const branches = branchesOf(wal.histories.get(timeline) ?? '');
  const nameOf = (number: number): string =>
    segmentName(branches.find(({ before }) => number < before)?.timeline ?? timeline, number);
  const first = segmentNumber(from);
  const end = Math.max(
    first - 1,
    ...[...wal.segments.keys()]
      .map((name) => ({ name, number: segmentNumber(name) }))
      .filter(({ name, number }) => number >= first && nameOf(number) === name)
      .map(({ number }) => number),
  );
  let last: Replayable['last'];
  for (let number = first; number <= end; number += 1) {
    const name = nameOf(number);
    const archivedAt = wal.segments.get(name);
    if (!archivedAt) return { timeline, ...(last ? { last } : {}), missing: name };
    last = { name, archivedAt };
  }
  return { timeline, ...(last ? { last } : {}) };
}

const newestTimeline = ({ segments, histories }: ArchivedWal): number =>
  Math.max(1, ...histories.keys(), ...[...segments.keys()].map(timelineOf));

/**
 * Reads a history file: each earlier timeline and the number of the segment in which the next one branches off. That
 * segment is read from the next timeline.
 */
const branchesOf = (history: string): { timeline: number; before: number }[] =>
  [...history.matchAll(/^(\d+)\t([0-9A-F]+)\/([0-9A-F]+)/gm)].map(([, timeline, high, low]) => ({
    timeline: Number(timeline),
    before: Number(((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)) / BigInt(segmentBytes)),
  }));

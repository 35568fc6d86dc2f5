import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { archiveOf } from './archive-segment.ts';
import { type Backup, namesIn } from './backup-folder.ts';
import {
  isSegment,
  numberOfPosition,
  positionOf,
  readHead,
  segmentName,
  segmentNumber,
  timelineOf,
} from './segment.ts';

const decompress = promisify(gunzip);

/** The log that follows a backup, without a gap. */
export interface Chain {
  timeline: number;
  /** Files of the archive, in order. */
  segments: string[];
  /** The first that is missing although later ones are there. */
  missing: string | undefined;
}

interface Timeline {
  number: number;
  /** The segment in which it leaves the one before. */
  firstSegment: number;
}

const mostSegments = 10_000_000;

/** Follows a timeline, the newest that comes from this backup unless another is asked for. */
export async function followLog(folder: string, backup: Backup, wanted?: number): Promise<Chain> {
  const archive = archiveOf(folder);
  const there = new Set((await namesIn(archive)).map((name) => name.replace(/\.gz$/, '')));
  const timelines = await chooseTimeline(archive, there, backup, wanted);
  const [newest = { number: backup.timeline, firstSegment: 0 }] = timelines;
  const first = numberOfPosition(backup.startPosition, backup.segmentBytes);
  const own = [...there].filter((name) => isSegment(name) && timelineOf(name) === newest.number);
  const last = own.reduce(
    (most, name) => Math.max(most, segmentNumber(name, backup.segmentBytes)),
    // Of a timeline that has kept nothing yet the log ends where it began.
    timelines.length > 1 ? newest.firstSegment - 1 : -1,
  );
  const segments: string[] = [];
  for (let number = first; number <= last && segments.length < mostSegments; number += 1) {
    // Where two timelines meet both may have the segment, and only the newer one goes on. What the older one kept after
    // it was left is another future: it must not stand in for what is lost.
    const timeline = timelines.find(({ firstSegment }) => firstSegment <= number) ?? newest;
    const name = segmentName(timeline.number, number, backup.segmentBytes);
    if (!there.has(name)) return { timeline: newest.number, segments, missing: name };
    segments.push(name);
  }
  return { timeline: newest.number, segments, missing: undefined };
}

/** The timelines that go on from a backup, its own first. */
export async function timelinesAfter(folder: string, backup: Backup): Promise<number[]> {
  const archive = archiveOf(folder);
  const numbers = historiesIn((await namesIn(archive)).map((name) => name.replace(/\.gz$/, '')));
  const found = [backup.timeline];
  for (const number of numbers) {
    if (number > backup.timeline && (await lineTo(archive, number, backup))) found.push(number);
  }
  return found;
}

const historiesIn = (names: string[]): number[] =>
  names
    .filter((name) => /^[0-9A-F]{8}\.history$/.test(name))
    .map(timelineOf)
    .toSorted((a, b) => a - b);

/** The timeline and those it comes from, down to the backup's, the newest first. */
async function chooseTimeline(
  archive: string,
  there: Set<string>,
  backup: Backup,
  wanted: number | undefined,
): Promise<Timeline[]> {
  const own = { number: backup.timeline, firstSegment: 0 };
  const candidates = historiesIn([...there])
    .filter((number) => number > backup.timeline && (wanted === undefined || number === wanted))
    .toReversed();
  for (const number of candidates) {
    const line = await lineTo(archive, number, backup);
    if (line) return [...line, own];
  }
  if (wanted !== undefined && wanted !== backup.timeline)
    throw new Error(`The archive has no timeline ${wanted} that comes from this backup.`);
  return [own];
}

/** Undefined for one that left the backup's timeline before the backup was made, or never was on it. */
async function lineTo(archive: string, number: number, backup: Backup): Promise<Timeline[] | undefined> {
  const parents = await readHistory(archive, number);
  const line = parents.slice(parents.findIndex((parent) => parent.number === backup.timeline));
  const [left] = line;
  if (left?.number !== backup.timeline || left.leftAt < positionOf(backup.stopPosition)) return undefined;
  return line
    .map(({ leftAt }, index) => ({
      number: line[index + 1]?.number ?? number,
      firstSegment: Number(leftAt / BigInt(backup.segmentBytes)),
    }))
    .toReversed();
}

/** Each line of a history names a timeline and where it was left. */
async function readHistory(archive: string, number: number): Promise<{ number: number; leftAt: bigint }[]> {
  const name = `${number.toString(16).padStart(8, '0').toUpperCase()}.history`;
  const text = (await readSegment(archive, name)).toString('utf8');
  return [...text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, parent, position]) => ({
    number: Number(parent),
    leftAt: positionOf(position ?? '0/0'),
  }));
}

export async function readSegment(archive: string, name: string): Promise<Buffer> {
  try {
    return await decompress(await readFile(join(archive, `${name}.gz`)));
  } catch (error) {
    throw new Error(`${name} of the archive cannot be read: ${(error as Error).message}.`);
  }
}

/** Reads a segment to its end, which its checksum proves, and refuses one of another cluster or place. */
export async function checkSegment(folder: string, backup: Backup, name: string): Promise<Buffer> {
  const content = await readSegment(archiveOf(folder), name);
  const head = readHead(content);
  const place = BigInt(segmentNumber(name, backup.segmentBytes)) * BigInt(backup.segmentBytes);
  if (!head || content.length !== backup.segmentBytes || head.position !== place)
    throw new Error(`${name} of the archive is not the segment that its name says.`);
  if (String(head.systemIdentifier) !== backup.systemIdentifier)
    throw new Error(`${name} of the archive is of another cluster than the backup ${backup.id}.`);
  return content;
}

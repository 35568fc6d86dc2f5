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

/** WAL files that follow a backup without a gap. */
export interface Chain {
  timeline: number;
  /** Archived files, in order. */
  segments: string[];
  /** The first missing segment, if later ones exist. */
  missing: string | undefined;
}

interface Timeline {
  number: number;
  /** The segment in which the timeline branches off. */
  firstSegment: number;
}

const maxSegments = 10_000_000;

/** Follows a timeline, by default the newest that descends from this backup. */
export async function followLog(folder: string, backup: Backup, requested?: number): Promise<Chain> {
  const archive = archiveOf(folder);
  const there = new Set((await namesIn(archive)).map((name) => name.replace(/\.gz$/, '')));
  const timelines = await chooseTimeline(archive, there, backup, requested);
  const [newest = { number: backup.timeline, firstSegment: 0 }] = timelines;
  const first = numberOfPosition(backup.startPosition, backup.segmentBytes);
  const own = [...there].filter((name) => isSegment(name) && timelineOf(name) === newest.number);
  const last = own.reduce(
    (highest, name) => Math.max(highest, segmentNumber(name, backup.segmentBytes)),
    // A timeline without archived segments ends where it branched off.
    timelines.length > 1 ? newest.firstSegment - 1 : -1,
  );
  const segments: string[] = [];
  for (let number = first; number <= last && segments.length < maxSegments; number += 1) {
    // Where two timelines meet, both may have the segment; only the newer one continues. Later segments of the older
    // timeline belong to a different history and must not fill gaps.
    const timeline = timelines.find(({ firstSegment }) => firstSegment <= number) ?? newest;
    const name = segmentName(timeline.number, number, backup.segmentBytes);
    if (!there.has(name)) return { timeline: newest.number, segments, missing: name };
    segments.push(name);
  }
  return { timeline: newest.number, segments, missing: undefined };
}

/** Returns the timelines that descend from a backup, its own first. */
export async function timelinesAfter(folder: string, backup: Backup): Promise<number[]> {
  const archive = archiveOf(folder);
  const numbers = historiesIn((await namesIn(archive)).map((name) => name.replace(/\.gz$/, '')));
  const timelines = [backup.timeline];
  for (const number of numbers) {
    if (number > backup.timeline && (await lineTo(archive, number, backup))) timelines.push(number);
  }
  return timelines;
}

const historiesIn = (names: string[]): number[] =>
  names
    .filter((name) => /^[0-9A-F]{8}\.history$/.test(name))
    .map(timelineOf)
    .toSorted((a, b) => a - b);

/** Returns the timeline and its ancestors down to the backup's, newest first. */
async function chooseTimeline(
  archive: string,
  there: Set<string>,
  backup: Backup,
  requested: number | undefined,
): Promise<Timeline[]> {
  const own = { number: backup.timeline, firstSegment: 0 };
  const candidates = historiesIn([...there])
    .filter((number) => number > backup.timeline && (requested === undefined || number === requested))
    .toReversed();
  for (const number of candidates) {
    const line = await lineTo(archive, number, backup);
    if (line) return [...line, own];
  }
  if (requested !== undefined && requested !== backup.timeline)
    throw new Error(`The archive has no timeline ${requested} that descends from this backup.`);
  return [own];
}

/** Returns undefined if the timeline branched off before the backup or does not descend from the backup's timeline. */
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

/** Reads a history file; each line names a timeline and its branch point. */
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
    throw new Error(`${name} in the archive cannot be read: ${(error as Error).message}.`);
  }
}

/** Reads a segment to its end, verifying its checksum, and rejects one of another cluster or position. */
export async function checkSegment(folder: string, backup: Backup, name: string): Promise<Buffer> {
  const content = await readSegment(archiveOf(folder), name);
  const head = readHead(content);
  const place = BigInt(segmentNumber(name, backup.segmentBytes)) * BigInt(backup.segmentBytes);
  if (!head || content.length !== backup.segmentBytes || head.position !== place)
    throw new Error(`${name} in the archive is not the segment that its name says.`);
  if (String(head.systemIdentifier) !== backup.systemIdentifier)
    throw new Error(`${name} in the archive is from another cluster than the backup ${backup.id}.`);
  return content;
}

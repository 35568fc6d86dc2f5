import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { archiveOf } from './archive-segment.ts';
import { type Backup, namesIn } from './backup-folder.ts';
import { isSegment, numberOfPosition, readHead, segmentName, segmentNumber, timelineOf } from './segment.ts';

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
  const numberOf = (name: string): number => segmentNumber(name, backup.segmentBytes);
  const ours = new Set(timelines.map(({ number }) => number));
  const newest = [...there]
    .filter((name) => isSegment(name) && ours.has(timelineOf(name)))
    .reduce((most, name) => Math.max(most, numberOf(name)), -1);
  const first = numberOfPosition(backup.startPosition, backup.segmentBytes);
  const segments: string[] = [];
  for (let number = first; number <= newest && segments.length < mostSegments; number += 1) {
    // Where two timelines meet both have the segment, and the newer one goes on.
    const names = timelines
      .filter(({ firstSegment }) => firstSegment <= number)
      .map((timeline) => segmentName(timeline.number, number, backup.segmentBytes));
    const found = names.find((name) => there.has(name));
    if (!found) return { timeline: timelines[0]?.number ?? 1, segments, missing: names[0] ?? '' };
    segments.push(found);
  }
  return { timeline: timelines[0]?.number ?? 1, segments, missing: undefined };
}

/** The timeline and those it comes from, down to the backup's, the newest first. */
async function chooseTimeline(
  archive: string,
  there: Set<string>,
  backup: Backup,
  wanted: number | undefined,
): Promise<Timeline[]> {
  const own = { number: backup.timeline, firstSegment: 0 };
  const candidates = [...there]
    .filter((name) => /^[0-9A-F]{8}\.history$/.test(name))
    .map(timelineOf)
    .filter((number) => number > backup.timeline && (wanted === undefined || number === wanted))
    .toSorted((a, b) => b - a);
  for (const number of candidates) {
    const parents = await readHistory(archive, number, backup.segmentBytes);
    const at = parents.findIndex((parent) => parent.number === backup.timeline);
    if (at < 0) continue;
    const line = parents.slice(at);
    return [
      ...line.map(({ leftAt }, index) => ({
        number: line[index + 1]?.number ?? number,
        firstSegment: leftAt,
      })),
    ]
      .toReversed()
      .concat(own);
  }
  if (wanted !== undefined && wanted !== backup.timeline)
    throw new Error(`The archive has no timeline ${wanted} that comes from this backup.`);
  return [own];
}

/** Each line of a history names a timeline and where it was left. */
async function readHistory(
  archive: string,
  number: number,
  segmentBytes: number,
): Promise<{ number: number; leftAt: number }[]> {
  const name = `${number.toString(16).padStart(8, '0').toUpperCase()}.history`;
  const text = (await readSegment(archive, name)).toString('utf8');
  return [...text.matchAll(/^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, parent, position]) => ({
    number: Number(parent),
    leftAt: numberOfPosition(position ?? '0/0', segmentBytes),
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

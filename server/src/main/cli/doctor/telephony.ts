import { sql } from 'kysely';
import { askOptions } from '../../../adapters/sip/ask-options.ts';
import { openConnection } from '../../../adapters/sip/open-connection.ts';
import { listNodes, listTrunks } from '../../../contexts/telephony/index.ts';
import { silentEdgeSeconds, worryingClockSkewSeconds } from '../../../platform/call-timings.ts';
import { systemClock } from '../../../platform/time.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, messageOf, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const nodeSilentMs = 6_000;
const notAsked = 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.';

function requireOwnerUrl({ DATABASE_OWNER_URL: url }: Settings): string {
  if (!url) throw new Error('DATABASE_OWNER_URL is not set');
  return url;
}

export const checkEdges = (settings: Settings): Check => ({
  part: 'edges',
  otherwise: notAsked,
  async look() {
    const edges = await withDatabase(requireOwnerUrl(settings), async (db) => {
      const { rows } = await sql<{ id: number; address: string; silentSeconds: number }>`
        select id, sip_address as address, extract(epoch from now() - seen_at)::float8 as "silentSeconds"
          from edge.edges order by id`.execute(db.kysely);
      return rows;
    });
    const silent = edges.filter(({ silentSeconds }) => silentSeconds > silentEdgeSeconds);
    const advice =
      'Start Kamailio there and read its log; it needs the database. If it was removed permanently: delete from edge.edges where id = N';
    if (edges.length === 0)
      return fault('edges', 'no edge has ever registered', 'Start a Kamailio edge: see deploy/kamailio.');
    const says = silent
      .map(
        ({ id, address, silentSeconds }) =>
          `edge ${id} at ${address} was last seen ${Math.round(silentSeconds)} s ago`,
      )
      .join(', ');
    if (silent.length === edges.length)
      return fault('edges', `${says}: phones can neither register nor receive calls`, advice);
    return silent.length > 0
      ? warning('edges', says, advice)
      : ok('edges', `${edges.length} seen in the last ${silentEdgeSeconds} s`);
  },
});

export const checkNodes = (settings: Settings): Check => ({
  part: 'media nodes',
  otherwise: notAsked,
  async look() {
    const nodes = await withDatabase(requireOwnerUrl(settings), (db) =>
      listNodes({ db, clock: systemClock }),
    );
    if (nodes.length === 0) {
      return fault(
        'media nodes',
        'no media nodes, so calls are not possible',
        'Add one: disca node add NAME --address IP:PORT, then deploy/asterisk.',
      );
    }
    const now = Date.now();
    const away = nodes.filter(
      ({ isConnected, lastSeenAt }) => !isConnected || now - (lastSeenAt?.getTime() ?? 0) > nodeSilentMs,
    );
    const skewed = nodes.filter(
      ({ clockSkewMs }) => Math.abs(clockSkewMs ?? 0) > worryingClockSkewSeconds * 1000,
    );
    const findings: Finding[] = skewed.map(({ name, clockSkewMs }) =>
      warning(
        'media nodes',
        `the clock of ${name} is off by ${clockSkewMs} ms`,
        `Synchronise the clock of ${name} with NTP.`,
      ),
    );
    if (away.length > 0) {
      const says = `${away.map(({ name }) => name).join(', ')} ${away.length === 1 ? 'is' : 'are'} unavailable`;
      const advice =
        'Check that Asterisk runs there, that a voice process runs, and that the node can reach its VOICE_PORT (ARI over WebSocket) with its secret.';
      findings.push(
        away.length === nodes.length
          ? fault('media nodes', `${says}: calls are not possible`, advice)
          : warning('media nodes', says, advice),
      );
    }
    return findings.length > 0 ? findings : ok('media nodes', `${nodes.length} connected`);
  },
});

export const checkTrunks = (settings: Settings): Check => ({
  part: 'carriers',
  otherwise: notAsked,
  async look() {
    const trunks = await withDatabase(requireOwnerUrl(settings), (db) =>
      listTrunks({ db, clock: systemClock }),
    );
    const used = trunks.filter(({ enabled }) => enabled);
    if (used.length === 0) {
      return fault(
        'carriers',
        'no trunk is enabled, so external numbers cannot be called',
        'Add one: disca trunk add NAME --mode live --address HOST:PORT --caller-id DIGITS',
      );
    }
    return await Promise.all(used.map(judgeTrunk));
  },
});

type UsedTrunk = Pick<Awaited<ReturnType<typeof listTrunks>>[number], 'name' | 'address' | 'transport'>;

/**
 * Checks a trunk. A timeout is a warning, not an error: a carrier may respond to media nodes only, or not to OPTIONS at
 * all.
 */
async function judgeTrunk({ name, address, transport }: UsedTrunk): Promise<Finding> {
  try {
    if (transport !== 'udp') {
      await openConnection(address);
      return ok('carriers', `${name} at ${address} accepts connections (${transport})`);
    }
    const status = await askOptions(address);
    return ok('carriers', `${name} at ${address} responds to SIP (${status})`);
  } catch (error) {
    return warning(
      'carriers',
      `${name} at ${address} does not respond: ${messageOf(error)}`,
      `It may respond to media nodes only. Make a test call: disca trunk test ${name} NUMBER`,
    );
  }
}

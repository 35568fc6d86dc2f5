import { Pool } from 'undici';
import { root } from '../../../tools/dev/paths.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { asText } from '../../../tools/dev/voice/cell.ts';
import { type Watched, watch } from '../measure/blocks.ts';
import { schema } from './bare-statements.ts';
import { type BenchLine, lineAt } from './lines.ts';
import type { Caller } from './load.ts';
import type { CallPlatform } from './platform.ts';
import { startProgram } from './program.ts';

export interface BareCaller {
  caller: Caller;
  watched: Watched[];
  stop(): Promise<void>;
}

/** Away from the nodes of the service. */
const nodeNumber = 30;
const connections = 64;
const balanceMicros = 10n ** 15n;

/**
 * Starts the minimal prepaid call service with its own media node, beside the platform: the same edge, phones, carrier
 * and PostgreSQL.
 */
export async function startBare(platform: CallPlatform, lines: BenchLine[]): Promise<BareCaller> {
  const { query, dir, urls } = platform;
  await query(schema);
  const accounts = await query(
    `insert into bare.accounts (id, balance_micros, held_micros)
     select id, $1, 0 from accounts returning id, (select domain from public.accounts a where a.id = accounts.id)`,
    [balanceMicros],
  );
  const accountOf = new Map(accounts.map(({ id, domain }) => [domain, Number(id)]));
  const [httpPort, voicePort] = [await freePort(), await freePort()];
  const { node, idle } = await platform.startForeignNode(nodeNumber, voicePort);
  const origin = `http://127.0.0.1:${httpPort}`;
  const program = await startProgram({
    ...{ name: 'bare', file: 'server/bench/calls/bare-process.ts', root, dir },
    env: {
      DATABASE_URL: urls.owner,
      HTTP_PORT: String(httpPort),
      VOICE_PORT: String(voicePort),
      CARRIER: asText(platform.carrier),
    },
    readyUrl: `${origin}/ready`,
  });
  return {
    caller: openBareCaller(
      origin,
      (index) => {
        const { ramal, domain } = lineAt(lines, index);
        return { ramal, domain, accountId: accountOf.get(domain) };
      },
      idle,
    ),
    watched: [watch('bare', program), watch('Asterisk', node)],
    async stop() {
      await program.stop();
      await node.stop('kill');
    },
  };
}

function openBareCaller(
  origin: string,
  orderAt: (index: number) => object,
  idle: () => Promise<number>,
): Caller {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const asked = new Map<string, number>();
  let refused = 0;
  return {
    name: 'bare',
    async place(index) {
      const askedAtMs = Date.now();
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/calls',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(orderAt(index)),
      });
      const { id } = (await body.json()) as { id: string };
      if (statusCode === 200) asked.set(id, askedAtMs);
      else refused += 1;
    },
    idle,
    async collect() {
      const { body } = await pool.request({ method: 'GET', path: '/answers' });
      const answers = new Map((await body.json()) as [string, number][]);
      const tookMs = [...asked].flatMap(([id, askedAtMs]) => {
        const at = answers.get(id);
        return at === undefined ? [] : [at - askedAtMs];
      });
      const round = { tookMs, failed: asked.size - tookMs.length + refused, why: `${refused} refused` };
      asked.clear();
      refused = 0;
      return round;
    },
  };
}

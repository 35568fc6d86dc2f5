import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wavFile } from '../../harness/networks/tone-file.ts';
import { until } from '../../harness/until.ts';
import type { TestNode } from '../../harness/voice/engines.ts';

/** Where a command sends a leg, as in engine/control.conf. */
export type Place = 'room' | 'music' | 'leave' | 'supervise';

/** What the controller would request of the engine; requests go to the engine itself, so they need no controller. */
export interface EngineCommands {
  /** Moves the two legs of a call out of its Dial. */
  lift(callId: string, destination: string, to: { first: Place; second: Place }): Promise<void>;
  move(callId: string, leg: string, to: Place): Promise<void>;
  /** Dials one more leg, which enters a place when it answers. */
  invite(leg: string, endpoint: string, to: Place, variables: Record<string, string>): Promise<void>;
  /** Sets a variable or function of a leg. */
  set(leg: string, variable: string, value: string): Promise<void>;
  read(leg: string, variable: string): Promise<string>;
  /** Waits until a leg runs this application. */
  whenIn(leg: string, application: string): Promise<void>;
}

export const holdHertz = 2_150;

const modules = [
  'app_channelredirect',
  'app_chanspy',
  'app_confbridge',
  'bridge_softmix',
  'func_groupcount',
  'res_musiconhold',
  'res_mutestream',
];
const files = ['confbridge.conf', 'musiconhold.conf'];
const source = join(import.meta.dirname, 'engine');
const rate = 8_000;

/** Adds what is measured to a media node that runs with the configuration of the product. */
export async function extendNode({ engine, ask }: TestNode): Promise<void> {
  const etc = join(engine.dir, 'etc');
  for (const file of files) cpSync(join(source, file), join(etc, file));
  appendFileSync(join(etc, 'extensions.conf'), readFileSync(join(source, 'control.conf')));
  writeMusic(join(engine.dir, 'music/hold'), 0.2);
  writeMusic(join(engine.dir, 'music/silence'), 0);
  for (const name of modules) await request({ ask }, 'POST', `/asterisk/modules/${name}.so`);
  await request({ ask }, 'PUT', '/asterisk/modules/pbx_config.so');
}

/** The music is one tone, which differs from those of the parties. */
function writeMusic(folder: string, amplitude: number): void {
  mkdirSync(folder, { recursive: true });
  const samples = Buffer.alloc(rate * 20);
  for (let index = 0; index < samples.length / 2; index += 1)
    samples.writeInt16LE(
      Math.round(amplitude * 32_767 * Math.sin((2 * Math.PI * holdHertz * index) / rate)),
      index * 2,
    );
  writeFileSync(join(folder, 'music.wav'), wavFile(rate, samples));
}

interface Channel {
  id: string;
  name: string;
  dialplan: { app_name: string };
}

export function commandsOf(node: TestNode): EngineCommands {
  const control = (command: string, variables: Record<string, string>): Promise<unknown> =>
    request(node, 'POST', '/channels', {
      endpoint: `Local/${command}@control/n`,
      context: 'refuse',
      extension: 's',
      priority: 1,
      variables,
    });
  return {
    async lift(callId, destination, { first, second }) {
      const legs = { LEG_A: `${callId}.a`, LEG_B: destination };
      await control('lift', { CALL_ID: callId, ...legs, TO_A: first, TO_B: second });
    },
    async move(callId, leg, to) {
      await control('move', { CALL_ID: callId, LEG: leg, TO: to });
    },
    async invite(leg, endpoint, to, variables) {
      const place = { context: to, extension: 's', priority: 1, callerId: '551130000000' };
      await request(node, 'POST', `/channels/${leg}`, {
        endpoint,
        formats: 'alaw,ulaw',
        timeout: 60,
        ...place,
        variables,
      });
    },
    async set(leg, variable, value) {
      const query = new URLSearchParams({ variable: `EXPORT(${leg},${variable})`, value });
      await request(node, 'POST', `/asterisk/variable?${query}`);
    },
    async read(leg, variable) {
      const query = new URLSearchParams({ variable });
      const body = await request(node, 'GET', `/channels/${encodeURIComponent(leg)}/variable?${query}`);
      return (body as { value: string }).value;
    },
    async whenIn(leg, application) {
      await until(async () => {
        const channels = (await request(node, 'GET', '/channels')) as Channel[];
        const found = channels.find(({ id, name }) => id === leg || name === leg);
        return found?.dialplan.app_name === application;
      }, `${leg} is in ${application}`);
    },
  };
}

async function request(
  { ask }: Pick<TestNode, 'ask'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await ask(method, path, body);
  if (answer.status >= 300)
    throw new Error(
      `The engine responded ${answer.status} to ${method} ${path}: ${JSON.stringify(answer.body)}`,
    );
  return answer.body;
}

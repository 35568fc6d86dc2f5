import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallResult } from './measure-call.ts';
import type { TalkedCall } from './place.ts';
import type { Stage } from './stage.ts';

/** Copies the audio of a faulty call with its measurements, because the deployment is removed at the end. */
export function keepCall(dir: string, result: CallResult, call: TalkedCall, recording?: Buffer): void {
  const folder = join(dir, result.name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'result.json'), JSON.stringify({ ...result, call: withoutLine(call) }, null, 2));
  for (const side of ['caller', 'called'] as const) {
    const file = call[side].heard.file;
    if (existsSync(file)) copyFileSync(file, join(folder, `${side}-heard.wav`));
  }
  if (recording) writeFileSync(join(folder, 'recording.wav'), recording);
}

const withoutLine = ({ callId, caller, called }: TalkedCall) => ({ callId, caller, called });

/** Copies the logs of the engines. */
export function keepLogs(dir: string, { deployment: { nodes, engines } }: Stage): void {
  mkdirSync(dir, { recursive: true });
  const dirs = [
    ...nodes.map(({ name, engine }) => [name, engine.dir] as const),
    ['simulator', join(engines.node.engine.dir, '../simulator')] as const,
  ];
  for (const [name, from] of dirs) {
    const log = join(from, 'log/messages');
    if (existsSync(log)) copyFileSync(log, join(dir, `${name}.log`));
  }
}

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import type { TalkedCall } from './place.ts';
import type { CallResult } from './run.ts';

/** Copies the audio of a faulty call with its measurements, because the deployment is removed at the end. */
export function keepCall(dir: string, result: CallResult, call: TalkedCall | undefined): void {
  const folder = join(dir, result.name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const { recording, ...measured } = result;
  writeFileSync(
    join(folder, 'result.json'),
    JSON.stringify({ ...measured, call: withoutLine(call) }, null, 2),
  );
  for (const side of ['caller', 'called'] as const) {
    const file = call?.[side].heard;
    if (file !== undefined && existsSync(file)) copyFileSync(file, join(folder, `${side}-heard.wav`));
  }
  if (recording) writeFileSync(join(folder, 'recording.wav'), recording.file);
}

const withoutLine = (call: TalkedCall | undefined) =>
  call && { callId: call.callId, caller: call.caller, called: call.called };

/** Copies the logs of the engines. */
export function keepLogs(dir: string, { nodes, engines }: ManyNodesDeployment): void {
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

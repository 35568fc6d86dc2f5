import { logFileOf } from '../paths.ts';
import { type PortName, readPorts } from '../ports.ts';
import { isRunning } from '../process-identity.ts';
import { findRecorded } from '../process-records.ts';
import { testServiceNames } from '../test-services.ts';
import {
  asText,
  edgePublic,
  mediaNodeAddress,
  type SipAddress,
  simulatorAddress,
  turnAddress,
  type VoiceCell,
} from '../voice/cell.ts';
import { knownCell } from '../voice/dev-cell.ts';
import { devServiceNames } from './up.ts';

const addresses: Record<string, [label: string, port: PortName][]> = {
  postgres: [['127.0.0.1:', 'postgres']],
  redis: [['127.0.0.1:', 'redis']],
  mail: [
    ['http://127.0.0.1:', 'mail'],
    ['smtp://127.0.0.1:', 'smtp'],
  ],
  api: [
    ['http://127.0.0.1:', 'api'],
    ['ops http://127.0.0.1:', 'apiOps'],
  ],
  worker: [['ops http://127.0.0.1:', 'workerOps']],
  voice: [
    ['127.0.0.1:', 'voice'],
    ['ops http://127.0.0.1:', 'voiceOps'],
  ],
  shipper: [['ops http://127.0.0.1:', 'shipperOps']],
  m1: [['ARI http://127.0.0.1:', 'nodeAri']],
  'test-postgres': [['127.0.0.1:', 'testPostgres']],
  'test-redis': [['127.0.0.1:', 'testRedis']],
};

/** Lists the services. Exits 0 only if every development service runs. */
export async function status(): Promise<number> {
  const states = devServiceNames.map(show);
  for (const name of testServiceNames) if (findRecorded(name)) show(name);
  return states.every((state) => state === 'running') ? 0 : 1;
}

function show(name: string): string {
  const entry = findRecorded(name);
  const state = !entry ? 'stopped' : isRunning(entry.process) ? 'running' : 'died';
  const detail = state === 'running' ? `${where(name)}  (pid ${entry?.process.pid})` : '';
  console.log(`  ${name.padEnd(14)} ${state.padEnd(8)} ${detail}`.trimEnd());
  if (state === 'died') console.log(`    It exited unexpectedly; see ${logFileOf(name)}`);
  return state;
}

const sipPlaces: Record<string, (cell: VoiceCell) => SipAddress> = {
  edge: edgePublic,
  m1: (cell) => mediaNodeAddress(cell, 1),
  simulator: simulatorAddress,
};

function where(name: string): string {
  if (name === 'relay') return `TURN ${asText(turnAddress(knownCell()))}`;
  const sip = sipPlaces[name];
  return [...(sip ? [`SIP ${asText(sip(knownCell()))}`] : []), ...portsOf(name)].join(', ');
}

function portsOf(name: string): string[] {
  const ports = readPorts();
  return (addresses[name] ?? []).map(([label, port]) => `${label}${ports[port]}`);
}

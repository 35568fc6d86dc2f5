import { randomInt } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachVoiceSimulator } from '../../../simulator/voice/index.ts';
import { inDev, root } from '../paths.ts';
import { freePort } from '../ports.ts';
import { type CommandResult, capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { chooseCell } from '../voice/cell.ts';
import type { ContainerEngine } from './engine.ts';

/** deploy/compose as an operator uses it, with settings for the loopback network. */
export interface ComposedStack {
  readonly folder: string;
  readonly apiUrl: string;
  readonly mailboxUrl: string;
  /** Address of this machine as seen by containers. */
  readonly gateway: string;
  /** Network of the containers, in CIDR notation. */
  readonly inside: string;
  /** SIP address of the edge, where phones register. */
  readonly edge: string;
  /** SIP address of the simulated carrier. */
  readonly carrier: string;
  compose(...args: string[]): Promise<CommandResult>;
  disca(...args: string[]): Promise<string>;
  /** Runs a program in the folder of the stack. */
  run(program: string, ...args: string[]): Promise<CommandResult>;
  /** Changes one setting in .env. */
  set(name: string, value: string): void;
  simulator(): Promise<ReturnType<typeof attachVoiceSimulator>>;
  down(): Promise<void>;
}

/** `publicAddress` is the address of the edge, the media node and the relay; default: loopback addresses. */
export async function layOutStack(
  engine: ContainerEngine,
  version: string,
  publicAddress?: string,
): Promise<ComposedStack> {
  const folder = inDev('containers', 'compose');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'deploy/compose'), folder, {
    recursive: true,
    filter: (path) => !/\/(\.env|secrets)$/.test(path),
  });
  const settings = await settingsFor(version, publicAddress);
  const write = (): void =>
    writeFileSync(
      join(folder, '.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
  write();
  const run = (program: string, ...args: string[]): Promise<CommandResult> =>
    capture(join(folder, program), args, { cwd: folder, env: engine.env });
  const must = async (program: string, ...args: string[]): Promise<string> => {
    const result = await run(program, ...args);
    if (result.exitCode !== 0)
      throw new UserError(`${program} ${args.join(' ')} failed:\n${result.output.slice(-4_000)}`);
    return result.output;
  };
  await must('make-secrets');
  return {
    folder,
    apiUrl: settings.PUBLIC_URL,
    mailboxUrl: `http://127.0.0.1:${settings.MAILBOX_PORT}`,
    inside: settings.INSIDE_NETWORK,
    gateway: settings.INSIDE_NETWORK.replace(/0\/24$/, '1'),
    edge: `${settings.EDGE_ADDRESS}:5060`,
    carrier: `${settings.SIMULATOR_ADDRESS}:5060`,
    compose: (...args) => run('compose', ...args),
    disca: (...args) => must('disca', ...args),
    run,
    set(name, value) {
      Object.assign(settings, { [name]: value });
      write();
    },
    async simulator() {
      const volume = await engine.must([
        'volume',
        'inspect',
        '--format',
        '{{.Mountpoint}}',
        `${settings.COMPOSE_PROJECT_NAME}_simulator`,
      ]);
      const password = readFileSync(join(folder, 'secrets/simulator_password'), 'utf8').trim();
      return attachVoiceSimulator({
        dir: volume,
        address: settings.SIMULATOR_ADDRESS,
        port: 5060,
        control: {
          password,
          ariPort: Number(settings.SIMULATOR_ARI_PORT),
          amiPort: Number(settings.SIMULATOR_AMI_PORT),
        },
      });
    },
    async down() {
      await run('compose', 'down', '--volumes', '--timeout', '2');
    },
  };
}

async function settingsFor(version: string, publicAddress?: string) {
  const { network } = await chooseCell();
  const ports = await takePorts(7);
  const [api = 0, voice = 0, postgres = 0, mailbox = 0, ari = 0, simulatorAri = 0, simulatorAmi = 0] = ports;
  const url = `http://127.0.0.1:${api}`;
  const inside = `172.30.${randomInt(1, 255)}.0/24`;
  return {
    COMPOSE_PROJECT_NAME: 'disca',
    COMPOSE_FILE: 'compose.yml:compose.simulator.yml',
    DISCA_VERSION: version,
    PUBLIC_URL: url,
    CONSOLE_URL: url,
    MAIL_FROM: 'Disca <no-reply@disca.localhost>',
    ACCOUNT_DOMAIN_SUFFIX: '.disca.localhost',
    SIP_DOMAIN: 'disca.localhost',
    INSIDE_NETWORK: inside,
    // Webhooks of the trial are received on this machine.
    WEBHOOK_ALLOWED_NETWORKS: inside,
    API_PORT: String(api),
    VOICE_PORT: String(voice),
    POSTGRES_PORT: String(postgres),
    MAILBOX_PORT: String(mailbox),
    ARI_PORT: String(ari),
    SIMULATOR_ARI_PORT: String(simulatorAri),
    SIMULATOR_AMI_PORT: String(simulatorAmi),
    EDGE_ADDRESS: publicAddress ?? `${network}.101`,
    EDGE_PRIVATE_ADDRESS: `${network}.102`,
    MEDIA_ADDRESS: publicAddress ?? `${network}.11`,
    RELAY_ADDRESS: publicAddress ?? `${network}.6`,
    SIMULATOR_ADDRESS: `${network}.5`,
    // compose.simulator.yml adds the simulated carrier.
    CARRIER_NETWORKS: '198.51.100.0/28',
    TURN_URLS: `turn:${publicAddress ?? `${network}.6`}:3478`,
    HEALTH_INTERVAL: '1s',
  };
}

async function takePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort(ports));
  return ports;
}

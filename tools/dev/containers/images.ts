import { root } from '../paths.ts';
import { step } from '../progress.ts';
import { UserError } from '../user-error.ts';
import type { ContainerEngine } from './engine.ts';

/** Every image with its Dockerfile; images are named disca/TARGET. */
const files = {
  server: 'server',
  postgres: 'stores',
  media: 'engines',
  outside: 'server',
  redis: 'stores',
  relay: 'stores',
  edge: 'engines',
  simulator: 'engines',
} as const;

export type ImageName = keyof typeof files;
export const imageNames = Object.keys(files) as ImageName[];
export const imageTag = (name: ImageName, version: string): string => `disca/${name}:${version}`;

export interface BuildOptions {
  version: string;
  /** Source folder; default: this checkout. */
  context?: string;
  args?: Record<string, string>;
}

const atATime = 2;

export async function buildImages(
  engine: ContainerEngine,
  names: ImageName[],
  options: BuildOptions,
): Promise<void> {
  const waiting = [...names];
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await buildImage(engine, name, options);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atATime }, lane));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Builds with the pinned package versions if the archive still has them; otherwise prints the differences. */
async function buildImage(engine: ContainerEngine, name: ImageName, options: BuildOptions): Promise<void> {
  await step(`image ${imageTag(name, options.version)}`, async () => {
    const exact = await build(engine, name, options);
    if (exact.exitCode === 0) return;
    if (!/was not found|Unable to locate/.test(exact.output)) throw notBuilt(name, exact.output);
    const newest = await build(engine, name, { ...options, args: { ...options.args, PINS: 'newest' } });
    if (newest.exitCode !== 0) throw notBuilt(name, newest.output);
    const differing = newest.output.match(/\S+ is \S+, pinned \S+/g) ?? [];
    console.log(
      `  note    ${name} differs from the pinned versions: ${differing.join('; ') || 'the archive has newer versions'}`,
    );
  });
}

const notBuilt = (name: string, output: string): UserError =>
  new UserError(`Building the image ${name} failed:\n${output.slice(-4_000)}`);

function build(engine: ContainerEngine, name: ImageName, options: BuildOptions) {
  const { version, context = root, args = {} } = options;
  return engine.docker(
    [
      ...['build', '--network', 'host', '--progress', 'plain'],
      ...[
        '--file',
        `${context}/deploy/containers/${files[name]}.Dockerfile`,
        '--target',
        name,
        '--tag',
        imageTag(name, version),
      ],
      ...Object.entries({ VERSION: version, ...args }).flatMap(([key, value]) => [
        '--build-arg',
        `${key}=${value}`,
      ]),
      context,
    ],
    { cwd: context },
  );
}

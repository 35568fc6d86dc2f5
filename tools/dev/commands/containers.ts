import { once } from 'node:events';
import { imageNames } from '../containers/images.ts';
import { writeSbom } from '../containers/sbom.ts';
import { layOutStack } from '../containers/stack.ts';
import { findContainerObstacle } from '../containers/support.ts';
import { buildNewImages, startEngineWithBases, versions } from '../containers/trial.ts';
import { inDev } from '../paths.ts';
import { step } from '../progress.ts';
import { UserError } from '../user-error.ts';

/**
 * Builds the images with a private engine. `try` runs deploy/compose on loopback until Ctrl-C, `sbom` lists the
 * contents of the images.
 */
export async function containers([what = '']: string[]): Promise<number> {
  if (what !== 'try' && what !== 'sbom')
    throw new UserError('Usage: ./dev containers try, or ./dev containers sbom');
  const reason = await findContainerObstacle();
  if (reason) throw new UserError(`Containers cannot be run here: ${reason}.`);
  const engine = await startEngineWithBases();
  try {
    await buildNewImages(engine);
    if (what === 'try') await tryStack(engine);
    else await writeSboms(engine);
    return 0;
  } finally {
    await step('stopping the container engine', engine.stop);
  }
}

type Engine = Awaited<ReturnType<typeof startEngineWithBases>>;

async function writeSboms(engine: Engine): Promise<void> {
  const folder = inDev('containers', 'sbom');
  for (const name of imageNames) await writeSbom(engine, name, versions.new, folder);
  console.log(`\nIn ${folder}: ${imageNames.map((name) => `${name}.cdx.json`).join(', ')}`);
}

async function tryStack(engine: Engine): Promise<void> {
  const stack = await layOutStack(engine, versions.new);
  const started = await step('starting the services', () => stack.compose('up', '-d'));
  if (started.exitCode !== 0) throw new UserError(started.output);
  console.log(`\n  Console  ${stack.apiUrl}\n  Mail     ${stack.mailboxUrl}\n  SIP      ${stack.edge}`);
  console.log(
    `  Operate  DOCKER_HOST=${engine.env.DOCKER_HOST} ${stack.folder}/disca\n\nPress Ctrl-C to stop.`,
  );
  const waiting = setInterval(() => undefined, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(waiting);
  await stack.down();
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from '../progress.ts';
import { importBases, makeStableBase } from './bases.ts';
import { type ContainerEngine, startContainerEngine } from './engine.ts';
import { buildImages, type ImageName, imageNames, imageTag } from './images.ts';
import { previousRelease, takeSources } from './previous.ts';

/** The tags of a trial: this checkout, and the release before it. */
export const versions = { old: 'before', new: 'trial' };

/** An engine with everything that images are built from. */
export async function startEngineWithBases(): Promise<ContainerEngine> {
  const base = step('base image', makeStableBase);
  // It is waited for below; a fault of the engine is told first.
  base.catch(() => undefined);
  const engine = await step('container engine', startContainerEngine);
  try {
    await base;
    await step('stand-ins for public images', () => importBases(engine));
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** What calls go through while a part of it is already replaced. */
const ofTheReleaseBefore: ImageName[] = ['server', 'edge', 'media'];

export const buildNewImages = (engine: ContainerEngine): Promise<void> =>
  buildImages(engine, imageNames, { version: versions.new });

/** Those of this checkout, and those of the release before it. */
export async function buildTrialImages(engine: ContainerEngine): Promise<{ upgradesFrom: string }> {
  await buildNewImages(engine);
  const upgradesFrom = await previousRelease();
  const sources = mkdtempSync(join(tmpdir(), 'disca-before-'));
  try {
    await takeSources(upgradesFrom, sources);
    // Nobody looks at its pages.
    const args = { PAGES: 'none' };
    await buildImages(engine, ofTheReleaseBefore, { version: versions.old, context: sources, args });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  // The others hold packages of Debian and little of ours; they are replaced all the same, because of another name.
  for (const name of imageNames.filter((each) => !ofTheReleaseBefore.includes(each)))
    await engine.must(['tag', imageTag(name, versions.new), imageTag(name, versions.old)]);
  return { upgradesFrom };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractSources, previousRelease } from '../previous-release.ts';
import { step } from '../progress.ts';
import { importBases, makeStableBase } from './bases.ts';
import { type ContainerEngine, startContainerEngine } from './engine.ts';
import { buildImages, type ImageName, imageNames, imageTag } from './images.ts';

/** Image tags of a trial: this checkout, and the previous release. */
export const versions = { old: 'before', new: 'trial' };

/** Starts an engine and builds the base images. */
export async function startEngineWithBases(): Promise<ContainerEngine> {
  const base = step('base image', makeStableBase);
  // Handled below, so that an engine error is reported first.
  base.catch(() => undefined);
  const engine = await step('container engine', startContainerEngine);
  try {
    await base;
    await step('substitutes for public images', () => importBases(engine));
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** Services that carry calls while they are upgraded one by one. */
const previousReleaseImages: ImageName[] = ['server', 'edge', 'media'];

export const buildNewImages = (engine: ContainerEngine): Promise<void> =>
  buildImages(engine, imageNames, { version: versions.new });

/** Builds the images of this checkout and those of the previous release. */
export async function buildTrialImages(engine: ContainerEngine): Promise<{ upgradesFrom: string }> {
  await buildNewImages(engine);
  const release = previousRelease();
  const sources = mkdtempSync(join(tmpdir(), 'disca-before-'));
  try {
    await extractSources(release, sources);
    // Skipped, because the pages of the previous release are not used.
    const args = { PAGES: 'none' };
    await buildImages(engine, previousReleaseImages, { version: versions.old, context: sources, args });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  // The other images contain mainly Debian packages. A new tag is enough for Compose to replace their containers.
  for (const name of imageNames.filter((each) => !previousReleaseImages.includes(each)))
    await engine.must(['tag', imageTag(name, versions.new), imageTag(name, versions.old)]);
  return { upgradesFrom: release.version };
}

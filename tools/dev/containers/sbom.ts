import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import type { ContainerEngine } from './engine.ts';
import { type ImageName, imageTag } from './images.ts';

/** A component of an image, in CycloneDX terms. */
export interface Component {
  type: string;
  name: string;
  version: string;
  purl: string;
  licenses: { license: { name: string } | { id: string } }[];
}

export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: '1.5';
  serialNumber: string;
  version: 1;
  metadata: { component: { type: 'container'; name: string; version: string } };
  components: Component[];
}

/** Images that contain npm packages. */
const withNpm: ImageName[] = ['server'];

/** Writes the SBOM of an image, read from the image itself, and returns it. */
export async function writeSbom(
  engine: ContainerEngine,
  name: ImageName,
  version: string,
  folder: string,
): Promise<Sbom> {
  const image = imageTag(name, version);
  const components = [
    ...(await debianComponents(engine, image)),
    ...(withNpm.includes(name) ? await npmComponents() : []),
  ];
  const digest = createHash('sha256')
    .update(await engine.must(['image', 'inspect', '--format', '{{.Id}}', image]))
    .digest('hex');
  const sbom: Sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    // Derived from the digest: the same image always gets the same serial number.
    serialNumber: `urn:uuid:${digest.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')}`,
    version: 1,
    metadata: { component: { type: 'container', name: `disca/${name}`, version } },
    components,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  return sbom;
}

/** One line per package: name, version, architecture, source and the licences in its copyright file. */
const question = `dpkg-query --show --showformat '\${Package} \${Version} \${Architecture}\\n' | while read -r name version arch; do
  file=/usr/share/doc/$name/copyright
  [ -r "$file" ] || { echo "$name $version $arch none"; continue; }
  licences=$(sed -n 's/^License: *//p' "$file" | sort -u | tr '\\n' ';')
  echo "$name $version $arch $licences"
done`;

async function debianComponents(engine: ContainerEngine, image: string): Promise<Component[]> {
  const output = await engine.must([
    'run',
    '--rm',
    '--network',
    'none',
    '--user',
    '0',
    '--entrypoint',
    'sh',
    image,
    '-c',
    question,
  ]);
  return output.split('\n').map((line) => {
    const [name = '', version = '', architecture = '', ...licences] = line.split(' ');
    const licenceText = licences.join(' ');
    const named = licenceText.split(';').filter((each) => each !== '');
    // Older copyright files are not machine-readable.
    const names = named.length > 0 ? named : [`as in /usr/share/doc/${name}/copyright`];
    return {
      type: 'library',
      name,
      version,
      purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
      licenses: licenceText === 'none' ? [] : names.map((each) => ({ license: { name: each } })),
    };
  });
}

async function npmComponents(): Promise<Component[]> {
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--package-lock-only',
    '--loglevel=silent',
  ];
  const { exitCode, output } = await capture('npm', args);
  if (exitCode !== 0) throw new UserError(`npm sbom failed:\n${output}`);
  const { components } = JSON.parse(output.slice(output.indexOf('{'))) as { components: Component[] };
  return components;
}

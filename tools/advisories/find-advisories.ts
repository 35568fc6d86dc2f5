import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { root } from '../dev/paths.ts';
import { capture } from '../dev/run-command.ts';
import { bundledPackages, productionPackages } from '../licences/shipped.ts';

/** Exit code of a check that could not be made, which is neither passed nor failed. */
export const notChecked = 3;

const timeoutMs = 60_000;
const answerTimeoutMs = 15_000;
const refused = ['high', 'critical'];

export interface Advisory {
  id: string;
  name: string;
  severity: string;
  title: string;
}

export type Advisories = { open: Advisory[]; accepted: Advisory[] } | { reason: string };

/** Advisories that were reviewed and accepted until a date, each with the reason. */
const exceptions = z.array(
  z.strictObject({ id: z.string(), reason: z.string().min(20), expires: z.iso.date() }),
);

const report = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      nodes: z.array(z.string()),
      via: z.array(
        z.union([
          z.string(),
          z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() }),
        ]),
      ),
    }),
  ),
});

export async function findAdvisories(
  now: Date,
  {
    registry,
    file = join(import.meta.dirname, 'exceptions.json'),
  }: { registry?: string; file?: string } = {},
): Promise<Advisories> {
  const accepted = exceptions
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ expires }) => now < new Date(expires))
    .map(({ id }) => id);
  const answer = await askNpm(registry);
  if (typeof answer === 'string') return { reason: answer };
  const found = shippedAdvisories(answer).filter(({ severity }) => refused.includes(severity));
  return {
    open: found.filter(({ id }) => !accepted.includes(id)),
    accepted: found.filter(({ id }) => accepted.includes(id)),
  };
}

/** Returns npm's report, or why there is none. */
async function askNpm(registry?: string): Promise<z.infer<typeof report> | string> {
  const args = [
    ...['audit', '--json', '--loglevel=silent', '--fetch-retries=0', `--fetch-timeout=${answerTimeoutMs}`],
    ...(registry ? [`--registry=${registry}`] : []),
  ];
  const { output } = await capture('npm', args, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => ({ output: JSON.stringify({ message: error.message }) }),
  );
  const answer = parseJson(output);
  const parsed = report.safeParse(answer);
  if (parsed.success) return parsed.data;
  const { message } = z.object({ message: z.string() }).safeParse(answer).data ?? {};
  return (message ?? 'npm audit returned no report').split('\n', 1)[0] ?? '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shippedAdvisories({ vulnerabilities }: z.infer<typeof report>): Advisory[] {
  const folders = new Set(
    [...productionPackages(), ...bundledPackages()].map(({ folder }) => relative(root, folder)),
  );
  return Object.values(vulnerabilities)
    .filter(({ nodes }) => nodes.some((node) => folders.has(node)))
    .flatMap(({ via }) => via.filter((each) => typeof each !== 'string'))
    .map(({ name, title, url, severity }) => ({ id: url.split('/').at(-1) ?? url, name, title, severity }));
}

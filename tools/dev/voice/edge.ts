import { join } from 'node:path';
import { root } from '../paths.ts';
import { type RunningKamailio, startKamailio } from '../services/kamailio.ts';
import { issueCertificate } from './certificates.ts';
import { type EdgeSettings, edgeNames, edgeValues } from './edge-values.ts';

export interface EdgeOptions extends EdgeSettings {
  name: string;
  dir: string;
  outlives?: boolean;
}

export const edgeTemplates = join(root, 'deploy/kamailio');

/** Starts an edge with a certificate of this checkout's CA. */
export async function startEdge(options: EdgeOptions): Promise<RunningKamailio> {
  const { name, dir, addresses } = options;
  await issueCertificate(join(dir, 'etc'), edgeNames(options));
  return startKamailio({
    name,
    dir,
    templates: edgeTemplates,
    listens: addresses.public,
    values: edgeValues(options),
    outlives: options.outlives ?? false,
  });
}

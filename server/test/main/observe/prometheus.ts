import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';

export const observability = join(root, 'deploy/observability');

interface Sample {
  metric: Record<string, string>;
  value: number;
}

interface LoadedRule {
  name: string;
  health: string;
  state: string;
}

/** A real Prometheus with the rules of deploy/observability and its job of our processes, scraping every second. */
export interface Prometheus {
  query(expression: string): Promise<Sample[]>;
  rules(): Promise<LoadedRule[]>;
  stop(): Promise<void>;
}

export async function startPrometheus(dir: string, targets: string[]): Promise<Prometheus> {
  const home = join(dir, 'prometheus');
  mkdirSync(home, { recursive: true });
  const config = parse(readFileSync(join(observability, 'prometheus.yml'), 'utf8'));
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.rule_files = [join(observability, 'alerts.yml')];
  // The other job scrapes Patroni and its disk check, which do not run here.
  config.scrape_configs = [{ ...config.scrape_configs[0], static_configs: [{ targets }] }];
  const file = join(home, 'prometheus.yml');
  writeFileSync(file, stringify(config));
  const url = `http://127.0.0.1:${await freePort()}`;
  const entry = await startService({
    name: `prometheus-${new URL(url).port}`,
    command: 'prometheus',
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    commandIncludes: file,
    logFile: join(home, 'prometheus.log'),
    cwd: home,
    ending: politeThenKill,
    outlives: false,
    isReady: async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok ?? false,
  });
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/api/v1/${path}`);
    const { data, error } = (await answer.json()) as { data: ReturnType<typeof JSON.parse>; error?: string };
    if (!answer.ok) throw new Error(`${path}: ${error}`);
    return data;
  };
  return {
    async query(expression) {
      const { result } = await ask(`query?${new URLSearchParams({ query: expression })}`);
      return result.map(({ metric, value }: { metric: Sample['metric']; value: [number, string] }) => ({
        metric,
        value: Number(value[1]),
      }));
    },
    async rules() {
      const { groups } = await ask('rules');
      return groups.flatMap(({ rules }: { rules: LoadedRule[] }) => rules);
    },
    stop: () => endAndRemove(entry),
  };
}

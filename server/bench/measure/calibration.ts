import { fork } from 'node:child_process';
import pg from 'pg';
import { parentOf } from './cpu-time.ts';
import { pinService } from './machine.ts';

/**
 * Measures the speed of the service's CPU during the blocks, by the CPU time of fixed work. On a virtual machine the
 * speed changes within seconds, by up to a half, without being reported as steal.
 */
export interface Calibration {
  /** CPU milliseconds of the work when the benchmark started. */
  usualMs: number;
  /** Returns the mean CPU milliseconds of the work since the last call. */
  take(): Promise<number>;
  /** Pid of the PostgreSQL postmaster. */
  postgres: number;
  close(): Promise<void>;
}

const firstMs = 1_000;

/** Also pins PostgreSQL to the CPU of the service. */
export async function openCalibration(url: string): Promise<Calibration> {
  const postgres = await findPostmaster(url);
  pinService(postgres);
  const sampler = fork(new URL('sampler.ts', import.meta.url));
  pinService(Number(sampler.pid));
  const take = (): Promise<number> =>
    new Promise((resolve) => {
      sampler.once('message', (ms) => resolve(Number(ms)));
      sampler.send('take');
    });
  await take();
  await new Promise((resolve) => setTimeout(resolve, firstMs));
  return {
    usualMs: await take(),
    take,
    postgres,
    close: () =>
      new Promise((resolve) => {
        sampler.once('exit', () => resolve());
        sampler.disconnect();
      }),
  };
}

async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postgres = parentOf(Number(rows[0]?.pid));
  await client.end();
  return postgres;
}

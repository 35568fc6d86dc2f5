import pg from 'pg';
import { cpuBetween, parentOf, readProcesses } from './cpu-time.ts';
import { pinService } from './machine.ts';

/** A connection that measures the speed of the machine by the CPU time of a fixed query. */
export interface Calibration {
  /** Returns the CPU milliseconds of the query. */
  measure(): Promise<number>;
  /** Pid of the PostgreSQL postmaster. */
  postgres: number;
  close(): Promise<void>;
}

/** About 50 ms: hashing, without tables, locks or disk. */
const query = `select sum(hashtextextended('calibration', i)) from generate_series(1, 200000) as i`;

/** Also pins PostgreSQL to the CPU of the service. */
export async function openCalibration(url: string): Promise<Calibration> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = Number(rows[0]?.pid);
  const postgres = parentOf(backend);
  pinService(postgres);
  await client.query('set jit = off; set max_parallel_workers_per_gather = 0');
  return {
    postgres,
    async measure() {
      const before = readProcesses([backend]);
      await client.query(query);
      return cpuBetween(before, readProcesses([backend]), [backend]) / 1e6;
    },
    close: () => client.end(),
  };
}

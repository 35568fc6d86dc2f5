import type { PortName } from './ports.ts';

/** A service of ./dev up. */
export interface DevService {
  name: string;
  ports: PortName[];
  start: () => Promise<void>;
}

import type { Database } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import type { CallObserver } from '../observer.ts';

export interface EndDeps {
  db: Database;
  clock: Clock;
  observer: CallObserver;
}

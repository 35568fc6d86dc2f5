import { listOperators } from '../../../contexts/operators/index.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

type Operator = Awaited<ReturnType<typeof listOperators>>[number];

const part = 'operators';

/** Checks that owners can log in: one of them adds and resets operators, and another one approves it. */
export const checkOperators = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    return judgeOperators(await withDatabase(url, (db) => listOperators({ db })));
  },
});

function judgeOperators(operators: Operator[]): Finding {
  if (operators.length === 0) return ok(part, 'none are named, so commands need no login');
  const owners = operators.filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null);
  const active = owners.filter(({ isSetUp }) => isSetUp);
  const waiting = owners.filter(({ isSetUp }) => !isSetUp).map(({ name }) => name);
  const [only] = active;
  const page = 'see "No active owner" in docs/operate/operators.md.';
  const advice =
    waiting.length > 0
      ? `${waiting.join(' or ')} runs disca operator set-up with the mailed code. Without a valid code, ${page}`
      : `To enable another owner, ${page}`;
  if (!only) return fault(part, 'no owner can log in, so operators cannot be added or reset', advice);
  if (active.length === 1)
    return warning(part, `${only.name} is the only owner who can log in; adding operators needs two`, advice);
  return ok(part, `${active.length} owners can log in`);
}

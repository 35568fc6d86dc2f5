import { runInForeground } from '../run-command.ts';
import { UserError } from '../user-error.ts';

/** Controls running calls on the engine while voice is killed; legs end with the funded minute. Option: --rounds. */
export async function control(args: string[]): Promise<number> {
  const [option = '--rounds', rounds = '3'] = args;
  if (option !== '--rounds' || !(Number(rounds) > 0)) throw new UserError('The option is --rounds NUMBER.');
  return runInForeground('vitest', ['run', 'server/test/scenarios/control/control.test.ts'], {
    CONTROL_FUNDED: '1',
    CONTROL_ROUNDS: rounds,
  });
}

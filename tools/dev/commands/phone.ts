import type { Behaviour } from '../../../simulator/voice/index.ts';
import { UserError } from '../user-error.ts';
import { registerPhone } from '../voice/register-phone.ts';

const behaviours: Behaviour[] = ['answer', 'tone', 'ring', 'busy', 'reject'];

export async function phone(args: string[]): Promise<number> {
  const [login = '', password = '', behaviour = 'answer'] = args;
  const [, ramal, domain] = /^([0-9]+)@(.+)$/.exec(login) ?? [];
  if (!ramal || !domain || password === '' || !isBehaviour(behaviour)) {
    throw new UserError(`Usage: ./dev phone RAMAL@DOMAIN SENHA [${behaviours.join('|')}]`);
  }
  const edge = await registerPhone({ ramal, domain, password, behaviour });
  console.log(`${login} registers at ${edge} in a second or two.`);
  return 0;
}

function isBehaviour(word: string): word is Behaviour {
  return behaviours.some((behaviour) => behaviour === word);
}

import { attachVoiceSimulator, type Behaviour } from '../../../simulator/voice/index.ts';
import { DevFault } from '../fault.ts';
import { findRunning } from '../roster.ts';
import { asText, edgePublic, simulatorPlace } from '../voice/cell.ts';
import { knownCell, simulatorControl, simulatorDir } from '../voice/dev-cell.ts';

const behaviours: Behaviour[] = ['answer', 'tone', 'ring', 'busy', 'reject'];

/** A simulated softphone that registers at the edge of ./dev up and stays. */
export async function phone(args: string[]): Promise<number> {
  const [login = '', password = '', behaviour = 'answer'] = args;
  const [, ramal, domain] = /^([0-9]+)@(.+)$/.exec(login) ?? [];
  if (!ramal || !domain || password === '' || !isBehaviour(behaviour)) {
    throw new DevFault(`Say: ./dev phone RAMAL@DOMAIN SENHA [${behaviours.join('|')}]`);
  }
  if (!findRunning('simulator')) throw new DevFault('The simulator is not running. Run ./dev up.');
  const cell = knownCell();
  const simulator = attachVoiceSimulator({
    dir: simulatorDir,
    ...simulatorPlace(cell),
    control: simulatorControl(),
  });
  await simulator.addPhone({ ramal, domain, password, edge: asText(edgePublic(cell)), behaviour });
  console.log(`${login} registers at ${asText(edgePublic(cell))} within a second or two.`);
  return 0;
}

function isBehaviour(word: string): word is Behaviour {
  return behaviours.some((behaviour) => behaviour === word);
}

import { attachVoiceSimulator, type PhoneOptions } from '../../../simulator/voice/index.ts';
import { findRunning } from '../process-records.ts';
import { UserError } from '../user-error.ts';
import { asText, edgePublic, simulatorAddress } from './cell.ts';
import { knownCell, simulatorControl, simulatorDir } from './dev-cell.ts';

/** Registers a simulated softphone at the edge of ./dev up; it stays registered. Returns the edge address. */
export async function registerPhone(phone: Omit<PhoneOptions, 'edge'>): Promise<string> {
  if (!findRunning('simulator')) throw new UserError('The simulator is not running. Run ./dev up.');
  const cell = knownCell();
  const edge = asText(edgePublic(cell));
  const place = simulatorAddress(cell);
  const simulator = attachVoiceSimulator({ dir: simulatorDir, ...place, control: simulatorControl() });
  await simulator.addPhone({ ...phone, edge });
  return edge;
}

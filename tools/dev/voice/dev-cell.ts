import { readJson, writeJson } from '../files.ts';
import { inDev } from '../paths.ts';
import { knownPort } from '../ports.ts';
import { devSecrets } from '../secrets.ts';
import { UserError } from '../user-error.ts';
import { cellIsFree, chooseCell, type VoiceCell } from './cell.ts';
import { isLinked, linkCell } from './link.ts';

const cellFile = inDev('voice-cell.json');
export const simulatorDir = inDev('simulator');

/** Returns the addresses this checkout keeps for its engines; chooses others if they are taken. */
export async function settleCell(): Promise<VoiceCell> {
  const kept = readJson<VoiceCell>(cellFile);
  const linked = await linkCell(kept);
  if (!linked && kept && !isLinked(kept) && (await cellIsFree(kept))) return kept;
  const cell = linked ?? (await chooseCell());
  writeJson(cellFile, cell);
  return cell;
}

export function knownCell(): VoiceCell {
  const cell = readJson<VoiceCell>(cellFile);
  if (!cell)
    throw new UserError('The engines have not been started in this checkout yet. Run ./dev up first.');
  return cell;
}

export const simulatorControl = (): { password: string; ariPort: number; amiPort: number } => ({
  password: devSecrets().simulatorPassword,
  ariPort: knownPort('simulatorAri'),
  amiPort: knownPort('simulatorAmi'),
});

import { join } from 'node:path';
import { requirePrompts } from '../../../../tools/dev/voice/prompts.ts';
import { readWav, type Sound } from './tones.ts';

/** Position of a prompt in the received audio, and the similarity there: 1 means identical. */
interface Match {
  at: number;
  likeness: number;
}

const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
const codeLength = 6;
/** Prompts follow each other without a gap, and late packets leave none in the recording; two may be lost. */
const leewaySeconds = 0.04;
/** Includes the request to press a key, which a busy machine may delay. */
const introWithinSeconds = 20;
/** Enough of the first sentence to recognise it. */
const introSeconds = 0.3;
const silence = 0.01;

/** Returns the six digits in the received audio, recognised by comparing the wave with every digit's prompt. */
export function hearCode(heard: Sound, language: 'pt-BR' | 'en'): { code: string; likeness: number } {
  const prompt = (name: string) => readWav(join(requirePrompts(), language, `${name}.wav`)).samples;
  const spoken = new Map(digits.map((digit) => [digit, prompt(digit)]));
  const intro = prompt('intro');
  const sample = intro.subarray(0, introSeconds * heard.rate);
  const { at } = findIn(heard.samples, sample, 0, introWithinSeconds * heard.rate);
  let position = at + intro.length;
  let code = '';
  let likeness = 1;
  while (code.length < codeLength) {
    const best = bestDigit(heard, spoken, position);
    code += best.digit;
    likeness = Math.min(likeness, best.likeness);
    position = best.at + (spoken.get(best.digit)?.length ?? 0);
  }
  return { code, likeness };
}

/** Returns how similar any part of the received audio is to the beginning of a prompt: 1 means identical. */
export function hearPrompt(heard: Sound, language: 'pt-BR' | 'en', name: string): number {
  const { samples } = readWav(join(requirePrompts(), language, `${name}.wav`));
  return findIn(heard.samples, samples.subarray(0, introSeconds * heard.rate), 0, heard.samples.length)
    .likeness;
}

function bestDigit(heard: Sound, spoken: Map<string, Float64Array>, position: number) {
  const leeway = Math.round(leewaySeconds * heard.rate);
  const matches = [...spoken].map(([digit, samples]) => ({
    digit,
    ...findIn(heard.samples, withoutSilence(samples), position - leeway, position + leeway),
  }));
  return matches.reduce((best, match) => (match.likeness > best.likeness ? match : best));
}

/** Removes the trailing pause of a prompt, because all pauses match each other. */
function withoutSilence(samples: Float64Array): Float64Array {
  const end = samples.findLastIndex((sample) => Math.abs(sample) > silence);
  return samples.subarray(0, end + 1);
}

function findIn(heard: Float64Array, pattern: Float64Array, from: number, to: number): Match {
  const power = computePower(pattern);
  let best: Match = { at: from, likeness: 0 };
  for (let at = Math.max(from, 0); at <= Math.min(to, heard.length - pattern.length); at += 1) {
    const likeness = likenessAt(heard, pattern, at, power);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best;
}

function likenessAt(heard: Float64Array, pattern: Float64Array, at: number, power: number): number {
  let product = 0;
  let heardPower = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const sample = heard[at + index] ?? 0;
    product += sample * (pattern[index] ?? 0);
    heardPower += sample * sample;
  }
  return heardPower === 0 ? 0 : product / Math.sqrt(heardPower * power);
}

const computePower = (samples: Float64Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0);

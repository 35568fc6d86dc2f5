import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { cachedAt, makeOnce } from './cache.ts';

const digits = {
  'pt-BR': ['zero', 'um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
};

const spoken: Record<string, Record<string, string>> = {
  'pt-BR': {
    press: 'Olá. Para ouvir o código que confirma o seu número, pressione 1.',
    intro: 'Este é o código para confirmar o seu número.',
    again: 'Repetindo.',
    goodbye: 'Obrigado. Até logo.',
    destination:
      'Alô? Sim, sou eu. Pode falar, estou ouvindo muito bem. Que bom que você ligou. Conte-me tudo.',
    phone:
      'Bom dia. Estou ligando por um pedido que o senhor fez conosco. O senhor tem um minuto para falar?',
    voicemail: 'Você ligou para a caixa postal. Deixe a sua mensagem após o sinal.',
  },
  en: {
    press: 'Hello. To hear the code that confirms your number, press 1.',
    intro: 'This is the code to confirm your number.',
    again: 'Once more.',
    goodbye: 'Thank you. Goodbye.',
  },
};

/** Input of the speech synthesiser. Its hash names the cache folder, so the sound files are generated once. */
const recipe = {
  version: 1,
  voices: { 'pt-BR': 'pt-br', en: 'en-us' } as Record<string, string>,
  wordsPerMinute: 140,
  rate: 8_000,
  silenceSeconds: 0.8,
  pauseSeconds: 0.35,
  spoken,
  digits,
};

const promptsFolder = (): string => cachedAt('prompts', recipe);

export const promptsAreThere = (): boolean => existsSync(promptsFolder());

export function requirePrompts(): string {
  if (!promptsAreThere()) throw new UserError('The voice prompts are missing. Run ./dev setup.');
  return promptsFolder();
}

export const makePrompts = (): Promise<void> => makeOnce(promptsFolder(), speakPrompts);

export async function speakPrompts(folder: string): Promise<void> {
  for (const [language, sentences] of Object.entries(spoken)) {
    const numbers = digits[language as keyof typeof digits].map((word, digit) => [String(digit), word]);
    for (const [name, words] of [...Object.entries(sentences), ...numbers]) {
      await speak(join(folder, language, `${name}.wav`), words ?? '', recipe.voices[language] ?? '');
    }
    const silence = join(folder, language, 'silence.wav');
    await run('sox', [...silent, silence, 'trim', '0', `${recipe.silenceSeconds}`]);
  }
}

const format = ['-r', String(recipe.rate), '-c', '1', '-b', '16'];
const silent = ['-n', ...format];

async function speak(file: string, words: string, voice: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const raw = `${file}.raw.wav`;
  await run('espeak-ng', ['-v', voice, '-s', String(recipe.wordsPerMinute), '-w', raw, words]);
  await run('sox', [raw, ...format, file, 'norm', '-3', 'pad', '0', String(recipe.pauseSeconds)]);
  await run('rm', [raw]);
}

async function run(command: string, args: string[]): Promise<void> {
  const result = await capture(command, args);
  if (result.exitCode !== 0) throw new UserError(`${command} ${args.join(' ')} failed:\n${result.output}`);
}

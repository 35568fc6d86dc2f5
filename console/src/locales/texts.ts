export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

export const storageKey = 'disca.language';

const loaders: Record<Language, () => Promise<{ texts: object }>> = {
  'pt-BR': () => import('./pt-BR/index.ts'),
  en: () => import('./en/index.ts'),
};

export const loadTexts = async (language: Language): Promise<object> => (await loaders[language]()).texts;

/** Returns the language chosen earlier in this browser, else the first supported one of the browser's list. */
export function detectLanguage(): Language {
  const preferred = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  const supported = preferred.map((tag) => languages.find((each) => tag.slice(0, 2) === each.slice(0, 2)));
  return supported.find((each) => each !== undefined) ?? 'pt-BR';
}

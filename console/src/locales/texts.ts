export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

export const storageKey = 'disca.language';

const loaders: Record<Language, () => Promise<{ texts: object }>> = {
  'pt-BR': () => import('./pt-BR/index.ts'),
  en: () => import('./en/index.ts'),
};

export const loadTexts = async (language: Language): Promise<object> => (await loaders[language]()).texts;

/** The language that was chosen here before, else the first of the browser's that we speak. */
export function detectLanguage(): Language {
  const wished = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  const found = wished.map((tag) => languages.find((each) => tag.slice(0, 2) === each.slice(0, 2)));
  return found.find((each) => each !== undefined) ?? 'pt-BR';
}

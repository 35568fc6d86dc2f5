import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

/** What each language calls itself. */
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português (Brasil)', en: 'English' };

const storageKey = 'disca.language';

const loaders: Record<Language, () => Promise<{ texts: object }>> = {
  'pt-BR': () => import('./pt-BR/index.ts'),
  en: () => import('./en/index.ts'),
};

/** The language that was chosen here before, else the first of the browser's that we speak. */
function detectLanguage(): Language {
  const wished = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  const found = wished.map((tag) => languages.find((each) => tag.slice(0, 2) === each.slice(0, 2)));
  return found.find((each) => each !== undefined) ?? 'pt-BR';
}

export async function startLanguages(): Promise<void> {
  const language = detectLanguage();
  const { texts } = await loaders[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: texts } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
}

export async function speak(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  if (i18next.language === language) return;
  const { texts } = await loaders[language]();
  i18next.addResourceBundle(language, 'translation', texts);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export const currentLanguage = (): Language => languages.find((each) => each === i18next.language) ?? 'pt-BR';

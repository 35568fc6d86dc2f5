import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { detectLanguage, type Language, languages, loadTexts, storageKey } from './texts.ts';

export { type Language, languages } from './texts.ts';

/** Name of each language in that language. */
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português (Brasil)', en: 'English' };

export async function startLanguages(): Promise<void> {
  const language = detectLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: await loadTexts(language) } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
  // Tabs share the language, as they share the theme.
  addEventListener('storage', ({ key, newValue }) => {
    const chosen = languages.find((each) => each === newValue);
    if (key === storageKey && chosen) void setLanguage(chosen);
  });
}

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  if (i18next.language === language) return;
  i18next.addResourceBundle(language, 'translation', await loadTexts(language));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export const currentLanguage = (): Language => languages.find((each) => each === i18next.language) ?? 'pt-BR';

import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, ask } from '../api/client.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { type Language, languageNames, languages, speak } from '../locales/language.ts';
import { Icon } from '../shared/icons.tsx';

const schemes = ['light', 'dark', 'auto'] as const;

const chosen = (isChosen: boolean) =>
  isChosen ? <Icon name="check" size={16} /> : <span style={{ width: 16 }} />;

export function ThemeItems() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t('shell.theme')}</Menu.Label>
      {schemes.map((scheme) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          leftSection={chosen(colorScheme === scheme)}
          onClick={() => setColorScheme(scheme)}
        >
          {t(`shell.themes.${scheme}`)}
        </Menu.Item>
      ))}
    </>
  );
}

/** The language is the person's: kept with them, and the same on every machine. */
export function LanguageItems() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: async (locale: Language) => {
      await speak(locale);
      await ask(api.PATCH('/users', { body: { locale } }));
      queryClient.setQueryData<Session>(
        sessionQuery.queryKey,
        (session) => session && { ...session, user: { ...session.user, locale } },
      );
    },
  });
  return (
    <>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      {languages.map((language) => (
        <Menu.Item
          key={language}
          role="menuitemradio"
          aria-checked={i18n.language === language}
          lang={language}
          leftSection={chosen(i18n.language === language)}
          onClick={() => keep.mutate(language)}
        >
          {languageNames[language]}
        </Menu.Item>
      ))}
    </>
  );
}

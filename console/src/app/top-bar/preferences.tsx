import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type Session, sessionQuery } from '../../api/session.ts';
import { type Language, languageNames, languages, setLanguage } from '../../locales/language.ts';

const schemes = ['light', 'dark', 'auto'] as const;

export function ThemeItems() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme}>
      <Menu.Label>{t('shell.theme')}</Menu.Label>
      {schemes.map((scheme) => (
        <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick onChange={() => setColorScheme(scheme)}>
          {t(`shell.themes.${scheme}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** The language is stored with the user, so that it is the same on every device. */
export function LanguageItems() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: async (locale: Language) => {
      await setLanguage(locale);
      await unwrap(api.PATCH('/users', { body: { locale } }));
      queryClient.setQueryData<Session>(
        sessionQuery.queryKey,
        (session) => session && { ...session, user: { ...session.user, locale } },
      );
    },
  });
  return (
    <Menu.RadioGroup value={i18n.language}>
      <Menu.Label>{t('shell.language')}</Menu.Label>
      {languages.map((language) => (
        <Menu.RadioItem
          key={language}
          value={language}
          lang={language}
          closeMenuOnClick
          onChange={() => keep.mutate(language)}
        >
          {languageNames[language]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

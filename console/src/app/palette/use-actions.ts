import { useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Session, useSession } from '../../api/session.ts';
import { plainText } from '../../shared/format/plain-text.ts';
import type { IconName } from '../../shared/layout/icons.tsx';
import type { PaletteResult } from './palette-results.ts';

interface Action {
  name:
    | 'addContact'
    | 'importContacts'
    | 'createExtension'
    | 'addPerson'
    | 'createToken'
    | 'addWebhook'
    | 'addCredit';
  icon: IconName;
  /** A hash opens a dialog of the screen (`usePageAction`). */
  href: string;
  isAllowed(session: Session): boolean;
}

const isAdmin = ({ user }: Session): boolean => user.role === 'ADMIN';

const actions: Action[] = [
  { name: 'addContact', icon: 'contacts', href: '/contacts#new', isAllowed: () => true },
  { name: 'importContacts', icon: 'contacts', href: '/contacts#import', isAllowed: isAdmin },
  { name: 'createExtension', icon: 'extensions', href: '/extensions#new', isAllowed: isAdmin },
  { name: 'addPerson', icon: 'people', href: '/people#new', isAllowed: isAdmin },
  { name: 'createToken', icon: 'people', href: '/people#new-token', isAllowed: () => true },
  {
    name: 'addWebhook',
    icon: 'integrations',
    href: '/integrations/new',
    isAllowed: ({ permissions }) => permissions.webhooks,
  },
  { name: 'addCredit', icon: 'credit', href: '/credit', isAllowed: isAdmin },
];

const schemes = ['light', 'dark', 'auto'] as const;

/** Returns the actions that match the text; without a text none, so that the palette starts with the screens. */
export function useActions(text: string, go: (href: string) => () => void): PaletteResult[] {
  const { t } = useTranslation();
  const session = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  if (text === '') return [];
  const forms = actions
    .filter(({ isAllowed }) => isAllowed(session))
    .map(({ name, icon, href }) => ({
      id: `action-${name}`,
      group: 'actions' as const,
      icon,
      text: t(`shell.palette.${name}`),
      open: go(href),
    }));
  const themes = schemes
    .filter((scheme) => scheme !== colorScheme)
    .map((scheme) => ({
      id: `theme-${scheme}`,
      group: 'actions' as const,
      icon: 'settings' as const,
      text: t(`shell.palette.themes.${scheme}`),
      open: () => setColorScheme(scheme),
    }));
  return [...forms, ...themes].filter((each) => plainText(each.text).includes(plainText(text)));
}

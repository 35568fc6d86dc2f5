import type { LinkProps } from '@tanstack/react-router';
import type { Session } from '../../api/session.ts';
import type { Language } from '../../locales/language.ts';
import type { IconName } from '../../shared/layout/icons.tsx';

export interface Screen {
  name:
    | 'home'
    | 'calls'
    | 'contacts'
    | 'extensions'
    | 'team'
    | 'people'
    | 'integrations'
    | 'requests'
    | 'credit'
    | 'settings';
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  /** The permission that the screen needs. */
  needs?: 'money' | 'supervision' | 'webhooks';
}

/** The screens in navigation order. The first four are in the tab bar on narrow screens. */
export const screens: Screen[] = [
  { name: 'home', to: '/', icon: 'home' },
  { name: 'calls', to: '/calls', icon: 'calls' },
  { name: 'contacts', to: '/contacts', icon: 'contacts' },
  { name: 'extensions', to: '/extensions', icon: 'extensions' },
  { name: 'team', to: '/team', icon: 'team', needs: 'supervision' },
  { name: 'people', to: '/people', icon: 'people' },
  { name: 'integrations', to: '/integrations', icon: 'integrations', needs: 'webhooks' },
  { name: 'requests', to: '/requests', icon: 'requests' },
  { name: 'credit', to: '/credit', icon: 'credit', needs: 'money' },
  { name: 'settings', to: '/settings', icon: 'settings' },
];

/** Returns the address of the manual in a language of the console. */
export const manualUrl = (language: Language): string =>
  language === 'pt-BR' ? '/manual/pt-BR/' : '/manual/';

/** The screens of every user, for the time when the permissions are unknown. */
export const commonScreens = screens.filter(({ needs }) => needs === undefined);

export const screensFor = ({ permissions }: Session): Screen[] =>
  screens.filter(({ needs }) => needs === undefined || permissions[needs]);

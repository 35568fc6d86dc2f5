import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { currentLanguage } from '../../locales/language.ts';
import { plainText } from '../../shared/format/plain-text.ts';
import type { IconName } from '../../shared/layout/icons.tsx';
import { useDial } from '../../shared/phone-number/dialing.ts';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import { findNumbers } from '../../shared/phone-number/read-number.ts';
import { manualUrl, screensFor } from '../navigation/screens.ts';
import { useActions } from './use-actions.ts';

export interface PaletteResult {
  id: string;
  group: 'screens' | 'extensions' | 'calls' | 'actions';
  icon: IconName;
  text: string;
  open(): void;
}

const maxExtensions = 8;

/** Fetched once when the palette opens; typing filters locally. */
const extensionsQuery = queryOptions({
  queryKey: ['palette', 'extensions'],
  queryFn: () =>
    unwrap(
      api.GET('/extensions', {
        params: { query: { filter: '{"fields":["id","ramal","first_name","last_name"],"limit":1000}' } },
      }),
    ),
});

/** Returns all results that match the text, best first. */
export function usePaletteResults(text: string): PaletteResult[] {
  const navigate = useNavigate();
  const go = (href: string) => () => void navigate({ href });
  const screens = useScreens(text, go);
  const extensions = useExtensions(text, go);
  const numbers = useNumbers(text, go);
  const actions = useActions(text, go);
  return [...numbers, ...screens, ...actions, ...extensions];
}

type Go = (href: string) => () => void;

function useScreens(text: string, go: Go): PaletteResult[] {
  const { t } = useTranslation();
  const session = useSession();
  const screenResults = screensFor(session).map(({ name, to, icon }) => ({
    id: `screen-${name}`,
    group: 'screens' as const,
    icon,
    text: t(`shell.${name}`),
    open: go(to),
  }));
  const docs = { id: 'screen-docs', group: 'screens' as const, icon: 'docs' as const, text: t('shell.docs') };
  const all: PaletteResult[] = [
    ...screenResults,
    { ...docs, open: () => location.assign(manualUrl(currentLanguage())) },
  ];
  return all.filter((each) => plainText(each.text).includes(plainText(text)));
}

function useExtensions(text: string, go: Go): PaletteResult[] {
  const { t } = useTranslation();
  const { data = [] } = useQuery(extensionsQuery);
  if (text === '') return [];
  const named = data.map(({ ramal = '', first_name, last_name }) => ({
    ramal,
    name: [first_name, last_name].filter(Boolean).join(' '),
  }));
  const matches = named.filter(
    ({ ramal, name }) => ramal.includes(text) || plainText(name).includes(plainText(text)),
  );
  return matches.slice(0, maxExtensions).map(({ ramal, name }) => ({
    id: `extension-${ramal}`,
    group: 'extensions',
    icon: 'extensions',
    text: t('shell.palette.extension', { ramal, name }),
    open: go(`/extensions?ramal=${ramal}`),
  }));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function useNumbers(text: string, go: Go): PaletteResult[] {
  const { t } = useTranslation();
  const dial = useDial();
  const { data: numbers = [] } = useQuery(numbersQuery(text));
  if (uuid.test(text)) {
    const id = text.toLowerCase();
    const label = t('shell.palette.openCall', { id });
    return [{ id: 'call', group: 'calls', icon: 'calls', text: label, open: go(`/calls/${id}`) }];
  }
  const calls = numbers.map(
    ({ digits }): PaletteResult => ({
      id: `calls-with-${digits}`,
      group: 'calls',
      icon: 'search',
      text: t('shell.palette.callsWith', { number: formatPhone(digits) }),
      open: go(`/calls?phone=${digits}`),
    }),
  );
  if (!dial) return calls;
  const actions = numbers
    .filter(({ canDial }) => canDial)
    .map(
      ({ digits }): PaletteResult => ({
        id: `dial-${digits}`,
        group: 'actions',
        icon: 'calls',
        text: t('shell.palette.dial', { number: formatPhone(digits) }),
        open: () => dial(digits),
      }),
    );
  return [...calls, ...actions];
}

const leastDigits = 8;

/** Numbers that the text may denote; an ambiguous number yields one result per interpretation. */
const numbersQuery = (text: string) =>
  queryOptions({
    queryKey: ['palette', 'numbers', text],
    queryFn: () => findNumbers(text),
    enabled: text.replaceAll(/\D/g, '').length >= leastDigits && !uuid.test(text),
    staleTime: Number.POSITIVE_INFINITY,
  });

import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Choice } from '../../shared/choice.tsx';
import { Icon } from '../../shared/icons.tsx';
import classes from './page.module.css';
import type { ExtensionsView } from './view.ts';

export function Filters({
  view,
  onChange,
}: {
  view: ExtensionsView;
  onChange: (view: ExtensionsView) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { presence: _presence, ...withoutPresence } = view;
  const { recording: _recording, ...withoutRecording } = view;
  const { whose: _whose, ...own } = view;
  return (
    <div className={classes.filters}>
      {!isAdmin && (
        <Choice
          label={t('extensions.filters.whose')}
          value={view.whose ?? 'own'}
          options={[
            { value: 'own', text: t('extensions.filters.own') },
            { value: 'all', text: t('extensions.filters.all') },
          ]}
          onChange={(whose) => onChange(whose === 'all' ? { ...view, whose } : own)}
        />
      )}
      <Find view={view} onChange={onChange} />
      <NativeSelect
        aria-label={t('extensions.columns.presence')}
        value={view.presence ?? ''}
        data={[
          { value: '', label: t('extensions.filters.anyPresence') },
          { value: 'registered', label: t('extensions.filters.registered') },
          { value: 'missing', label: t('extensions.filters.missing') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(
            value === 'registered' || value === 'missing' ? { ...view, presence: value } : withoutPresence,
          )
        }
      />
      <NativeSelect
        aria-label={t('extensions.columns.recording')}
        value={view.recording ?? ''}
        data={[
          { value: '', label: t('extensions.filters.anyRecording') },
          { value: 'on', label: t('extensions.recorded') },
          { value: 'off', label: t('extensions.notRecorded') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'on' || value === 'off' ? { ...view, recording: value } : withoutRecording)
        }
      />
    </div>
  );
}

const typingMs = 250;

/** The address follows when the typing rests. */
function Find({ view, onChange }: { view: ExtensionsView; onChange: (view: ExtensionsView) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(view.find ?? '');
  const found = view.find ?? '';
  useEffect(() => setText((typed) => (typed.trim() === found ? typed : found)), [found]);
  const find = useDebouncedCallback((typed: string) => {
    const { find: _, ...rest } = view;
    onChange(typed.trim() === '' ? rest : { ...view, find: typed.trim() });
  }, typingMs);
  return (
    <search className={classes.find}>
      <TextInput
        type="search"
        aria-label={t('extensions.filters.find')}
        placeholder={t('extensions.filters.find')}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          find(value);
        }}
      />
    </search>
  );
}

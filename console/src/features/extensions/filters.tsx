import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Choice } from '../../shared/forms/choice.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './page.module.css';
import type { ExtensionsView, ViewChange } from './view.ts';

export function Filters({
  view,
  onChange,
}: {
  view: ExtensionsView;
  onChange: (changed: ViewChange) => void;
}) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
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
          onChange={(whose) => onChange({ whose: whose === 'all' ? whose : undefined })}
        />
      )}
      <SearchField view={view} onChange={onChange} />
      <NativeSelect
        aria-label={t('extensions.columns.presence')}
        value={view.presence ?? ''}
        data={[
          { value: '', label: t('extensions.filters.anyPresence') },
          { value: 'registered', label: t('extensions.filters.registered') },
          { value: 'missing', label: t('extensions.filters.missing') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ presence: value === 'registered' || value === 'missing' ? value : undefined })
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
          onChange({ recording: value === 'on' || value === 'off' ? value : undefined })
        }
      />
    </div>
  );
}

const typingMs = 250;

/** Search field; updates the URL after a pause in typing. */
function SearchField({ view, onChange }: { view: ExtensionsView; onChange: (changed: ViewChange) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(view.find ?? '');
  const current = view.find ?? '';
  useEffect(() => setText((typed) => (typed.trim() === current ? typed : current)), [current]);
  const find = useDebouncedCallback((typed: string) => onChange({ find: typed.trim() }), typingMs);
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

import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../api/session.ts';
import { Choice } from '../../shared/forms/choice.tsx';
import { SearchField } from '../../shared/forms/search-field.tsx';
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
      <SearchField
        label={t('extensions.filters.find')}
        value={view.find ?? ''}
        className={classes.find}
        onFind={(find) => onChange({ find })}
      />
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

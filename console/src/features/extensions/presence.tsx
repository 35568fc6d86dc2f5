import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './list.module.css';
import type { Extension } from './queries.ts';

export function Presence({ extension }: { extension: Pick<Extension, 'registered' | 'registered_at'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const since = extension.registered_at;
  if (!extension.registered || !since)
    return (
      <span className={classes.mark}>
        <Icon name="offline" size={14} />
        {t('extensions.missing')}
      </span>
    );
  return (
    <span
      className={classes.mark}
      data-registered
      title={t('extensions.since', { at: formats.dateTime(since) })}
    >
      <Icon name="check" size={14} />
      {t('extensions.registeredAgo', { ago: formats.ago(since) })}
    </span>
  );
}

export function Recording({ extension }: { extension: Pick<Extension, 'gravar_audio'> }) {
  const { t } = useTranslation();
  const isOn = extension.gravar_audio === 1;
  return (
    <span className={classes.mark}>
      <Icon name={isOn ? 'mic' : 'micOff'} size={14} />
      {t(isOn ? 'extensions.recorded' : 'extensions.notRecorded')}
    </span>
  );
}

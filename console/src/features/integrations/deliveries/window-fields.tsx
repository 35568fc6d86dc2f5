import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import classes from '../integrations.module.css';
import { lastHours } from './window.ts';

export interface LocalWindow {
  since: string;
  until: string;
}

const presetHours = [1, 24, 168] as const;

/** Time range in the account's time zone, with presets for the last hours. */
export function WindowFields({
  value,
  faults = {},
  onChange,
}: {
  value: LocalWindow;
  faults?: Partial<Record<keyof LocalWindow, string>>;
  onChange: (window: LocalWindow) => void;
}) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  return (
    <>
      <div className={classes.filters}>
        {(['since', 'until'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            label={t(`integrations.window.${name}`)}
            value={value[name]}
            error={faults[name]}
            onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <div className={classes.actions}>
        {presetHours.map((hours) => (
          <Button
            key={hours}
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(lastHours(hours, timeZone))}
          >
            {t(`integrations.window.last${hours}`)}
          </Button>
        ))}
        <span className={classes.quiet}>{t('integrations.window.zone', { zone: timeZone })}</span>
      </div>
    </>
  );
}

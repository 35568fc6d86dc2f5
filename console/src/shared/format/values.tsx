import { Tooltip, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../layout/icons.tsx';
import { useDial } from '../phone-number/dialing.ts';
import { formatPhone } from '../phone-number/format-phone.ts';
import { useFormats } from './formats.ts';
import classes from './values.module.css';

export function Money({ reais, decimals = 2 }: { reais: number; decimals?: 2 | 4 }) {
  return <span className={classes.whole}>{useFormats().money(reais, decimals)}</span>;
}

/** A time in the account's time zone. The tooltip names the zone. */
export function Time({
  iso,
  form = 'dateTime',
}: {
  iso: string;
  form?: 'dateTime' | 'date' | 'time' | 'shortTime';
}) {
  const formats = useFormats();
  return (
    <time dateTime={iso} title={`${formats.dateTime(iso)} (${formats.timeZone})`} className={classes.whole}>
      {formats[form](iso)}
    </time>
  );
}

/** A phone number, with a button that dials it when a phone is available. */
export function PhoneNumber({ digits }: { digits: string }) {
  const { t } = useTranslation();
  const dial = useDial();
  const shown = formatPhone(digits);
  if (!dial || digits.length < 8) return <span className={classes.whole}>{shown}</span>;
  const label = t('common.call', { number: shown });
  return (
    <span className={classes.number}>
      {shown}
      <Tooltip label={label}>
        <UnstyledButton className={classes.dial} aria-label={label} onClick={() => dial(digits)}>
          <Icon name="calls" size={16} />
        </UnstyledButton>
      </Tooltip>
    </span>
  );
}

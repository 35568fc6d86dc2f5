import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './page.module.css';

/** A password, hidden until the user reveals it. */
export function SecretValue({ value }: { value: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <span className={classes.inline}>
      <span className={classes.secret}>{isShown ? value : '••••••••'}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-pressed={isShown}
        aria-label={t('extensions.secret.show')}
        title={t('extensions.secret.show')}
        onClick={() => setShown(!isShown)}
      >
        <Icon name={isShown ? 'eyeOff' : 'eye'} size={16} />
      </ActionIcon>
      <Copy value={value} label={t('extensions.secret.copy')} />
    </span>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import classes from '../integrations.module.css';

/** A secret, hidden until the user reveals it. It can be copied while hidden. */
export function SecretField({ secret, isShownFirst = false }: { secret: string; isShownFirst?: boolean }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(isShownFirst);
  return (
    <div className={classes.secret}>
      <span className={classes.label}>{t('integrations.secret.label')}</span>
      <code className={classes.secretText}>{isShown ? secret : `whsec_${'•'.repeat(24)}`}</code>
      <Copy value={secret} label={t('integrations.secret.copy')} />
      <Button variant="subtle" size="compact-xs" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {t(isShown ? 'integrations.secret.hide' : 'integrations.secret.show')}
      </Button>
    </div>
  );
}

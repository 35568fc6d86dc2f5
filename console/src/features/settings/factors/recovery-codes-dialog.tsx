import { Button, CopyButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogActions } from '../../../shared/layout/dialog.tsx';
import classes from '../settings.module.css';

/** Shows new recovery codes, which cannot be read again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('settings.factors.codes.title')} onClose={onClose}>
      <p className={classes.lead}>{t('settings.factors.codes.lead')}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'common.copied' : 'settings.factors.codes.copy')}
            </Button>
          )}
        </CopyButton>
        <Button data-autofocus onClick={onClose}>
          {t('settings.factors.codes.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

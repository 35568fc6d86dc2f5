import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { ConfirmDialog } from '../../shared/layout/confirm-dialog.tsx';
import classes from './people.module.css';
import type { User } from './queries.ts';

/** Removes the second factors of a user who has lost them. */
export function ResetFactorsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const { uuid, name } = user;
  return (
    <ConfirmDialog
      title={t('people.resetFactors.title', { name })}
      actionText={t('people.resetFactors.submit')}
      action={() => unwrap(api.DELETE('/users/{uuid}/factors', { params: { path: { uuid } } }))}
      onDone={() => undefined}
      onClose={onClose}
    >
      <p className={classes.text}>{t('people.resetFactors.text', { name })}</p>
    </ConfirmDialog>
  );
}

import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from '../settings.module.css';
import type { OwnFactor } from './queries.ts';

export function FactorEntry({ factor, onRemoved }: { factor: OwnFactor; onRemoved: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isRemoving, setRemoving] = useState(false);
  const { id, kind, name, lastUsedAt } = factor;
  const kindName = t(`settings.factors.kinds.${kind}`);
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <span>
          {name} {kindName !== name && <span className={classes.routes}>{kindName}</span>}
        </span>
        <span className={classes.grow} />
        <span className={classes.routes}>
          {lastUsedAt
            ? t('settings.factors.lastUsed', { date: formats.date(lastUsedAt) })
            : t('settings.factors.neverUsed')}
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('settings.factors.remove', { name })}
          onClick={() => setRemoving(true)}
        >
          <Icon name="trash" size={16} />
        </ActionIcon>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t('settings.factors.removeTitle', { name })}
          actionText={t('common.remove')}
          action={() => unwrap(api.DELETE('/users/me/factors/{id}', { params: { path: { id } } }))}
          onDone={onRemoved}
          onClose={() => setRemoving(false)}
        >
          <p className={classes.lead}>{t('settings.factors.removeText')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

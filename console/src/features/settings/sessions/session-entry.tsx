import { ActionIcon } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { type Formats, useFormats } from '../../../shared/format/formats.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from '../settings.module.css';
import { readDevice } from './device.ts';
import type { ConsoleSession } from './sessions-panel.tsx';

/** A session with its browser, address and last use. The current one is ended by logging out. */
export function SessionEntry({ session, onEnded }: { session: ConsoleSession; onEnded: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isEnding, setEnding] = useState(false);
  const { prefix, isCurrent, lastUsedAt, openedAt } = session;
  const device = deviceText(t, session);
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <span>
          {device} <span className={classes.routes}>{openedText(t, formats, session)}</span>
        </span>
        <span className={classes.grow} />
        {isCurrent ? (
          <span className={classes.state} data-owned="true">
            <Icon name="check" size={16} />
            {t('settings.sessions.current')}
          </span>
        ) : (
          <>
            <span className={classes.routes}>
              {t('settings.sessions.used', { ago: formats.ago(lastUsedAt ?? openedAt) })}
            </span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('settings.sessions.end', { device })}
              onClick={() => setEnding(true)}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </>
        )}
      </div>
      {isEnding && (
        <ConfirmDialog
          title={t('settings.sessions.endTitle')}
          actionText={t('settings.sessions.endSubmit')}
          action={() => unwrap(api.DELETE('/users/me/sessions/{prefix}', { params: { path: { prefix } } }))}
          onDone={onEnded}
          onClose={() => setEnding(false)}
        >
          <p className={classes.lead}>{t('settings.sessions.endText')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function deviceText(t: TFunction, { userAgent }: ConsoleSession): string {
  const device = readDevice(userAgent ?? '');
  return device ? t('settings.sessions.device', device) : t('settings.sessions.unknown');
}

function openedText(t: TFunction, formats: Formats, { openedAt, address }: ConsoleSession): string {
  const date = formats.date(openedAt);
  return address === null
    ? t('settings.sessions.openedOnly', { date })
    : t('settings.sessions.opened', { date, address });
}

import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../shared/icons.tsx';
import classes from './dock.module.css';
import { usePhoneSettings } from './settings.ts';

const SwitchOn = lazy(() => import('./switch-on.tsx').then((module) => ({ default: module.SwitchOn })));
const ActivePhone = lazy(() =>
  import('./active-phone.tsx').then((module) => ({ default: module.ActivePhone })),
);

/** The phone at the bottom right of every page. Nothing of it is loaded or registered until it is switched on. */
export function PhoneDock() {
  const { t } = useTranslation();
  const { user, extensions } = useSession();
  const { extensionId } = usePhoneSettings(user.uuid);
  const [isOpen, setIsOpen] = useState(false);
  const extension = extensions.find(({ id }) => id === extensionId);
  if (extension) {
    return (
      <aside aria-label={t('phone.title')}>
        <Suspense>
          <ActivePhone key={extension.id} extension={extension} />
        </Suspense>
      </aside>
    );
  }
  return (
    <aside aria-label={t('phone.title')}>
      {isOpen ? (
        <Suspense>
          <SwitchOn onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : (
        <UnstyledButton
          className={classes.round}
          aria-label={t('phone.open')}
          title={t('phone.open')}
          onClick={() => setIsOpen(true)}
        >
          <Icon name="calls" size={20} />
        </UnstyledButton>
      )}
    </aside>
  );
}

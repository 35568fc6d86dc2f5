import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { InactivePhone } from './inactive-phone.tsx';
import { usePhoneSettings } from './settings.ts';

const ActivePhone = lazy(() =>
  import('./active-phone.tsx').then((module) => ({ default: module.ActivePhone })),
);

/** The phone below the navigation of every page. Its code is not loaded, and nothing is registered, until it is enabled. */
export function PhoneDock() {
  const { t } = useTranslation();
  const { user, extensions } = useSession();
  const { extensionId } = usePhoneSettings(user.uuid);
  const extension = extensions.find(({ id }) => id === extensionId);
  return (
    <aside aria-label={t('phone.title')}>
      {extension ? (
        <Suspense>
          <ActivePhone key={extension.id} extension={extension} />
        </Suspense>
      ) : (
        <InactivePhone />
      )}
    </aside>
  );
}

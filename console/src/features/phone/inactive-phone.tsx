import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../shared/layout/icons.tsx';
import { type BrowserPhone, useProvideBrowserPhone } from '../../shared/phone-number/browser-phone.ts';
import { useProvideDialing } from '../../shared/phone-number/dialing.ts';
import type { DialRequest } from './desk-call.tsx';
import classes from './dock.module.css';
import type { SwitchRequest } from './switch-on.tsx';

const SwitchOn = lazy(() => import('./switch-on.tsx').then((module) => ({ default: module.SwitchOn })));
const DeskCall = lazy(() => import('./desk-call.tsx').then((module) => ({ default: module.DeskCall })));

/** While the phone is disabled, the call icon of a number calls it from the user's desk phone, if there is one. */
export function InactivePhone() {
  const { t } = useTranslation();
  const { extensions } = useSession();
  const [shown, setShown] = useState<'nothing' | SwitchRequest | DialRequest>('nothing');
  const clicked = useRef<Element>(null);
  const dial = useCallback((number: string) => {
    // Focus moves to the result, and back when it is closed.
    clicked.current = document.activeElement;
    if (clicked.current instanceof HTMLElement) clicked.current.blur();
    setShown({ number, key: crypto.randomUUID() });
  }, []);
  useProvideDialing(extensions.length > 0 ? dial : undefined);
  const phone = useMemo<BrowserPhone>(
    () => ({
      extensionId: null,
      isCalling: false,
      switchOn: (extensionId) => setShown({ isImmediate: true, extensionId }),
    }),
    [],
  );
  useProvideBrowserPhone(phone);
  const explain = (): void => setShown({ isImmediate: false });
  const close = (): void => {
    setShown('nothing');
    if (clicked.current instanceof HTMLElement && clicked.current.isConnected) clicked.current.focus();
    clicked.current = null;
  };
  if (shown === 'nothing') {
    return (
      <UnstyledButton
        className={classes.idle}
        aria-label={t('phone.open')}
        title={t('phone.open')}
        onClick={explain}
      >
        <Icon name="calls" size={16} />
        {t('phone.title')}
      </UnstyledButton>
    );
  }
  return (
    <Suspense>
      {'isImmediate' in shown ? (
        <SwitchOn request={shown} onClose={close} />
      ) : (
        <DeskCall key={shown.key} order={shown} onSwitchOn={explain} onClose={close} />
      )}
    </Suspense>
  );
}

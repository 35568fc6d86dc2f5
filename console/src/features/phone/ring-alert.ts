import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPhone } from '../../shared/phone-number/format-phone.ts';
import type { PhoneCall } from './state.ts';
import { useIsPhoneTab } from './tabs.ts';

/** Shows an incoming call in the tab title and, in a hidden tab, as a notification if allowed. */
export function useRingAlert(call: PhoneCall | undefined): void {
  const { t } = useTranslation();
  const isPhoneTab = useIsPhoneTab();
  const ringing = call?.stage === 'incoming' ? formatPhone(call.number) : undefined;
  useEffect(() => {
    if (ringing === undefined) return;
    const text = t('phone.ringing', { number: ringing });
    const title = document.title;
    document.title = `☎ ${text}`;
    const notice = isPhoneTab && document.hidden ? notify(text) : undefined;
    return () => {
      document.title = title;
      notice?.close();
    };
  }, [t, ringing, isPhoneTab]);
}

function notify(text: string): Notification | undefined {
  if (!('Notification' in window) || Notification.permission !== 'granted') return undefined;
  const notice = new Notification(text, { tag: 'disca-call', requireInteraction: true });
  notice.onclick = () => window.focus();
  return notice;
}

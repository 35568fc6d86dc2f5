import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { callee } from './call-text.ts';
import type { PhoneCall } from './state.ts';
import { useIsPhoneTab } from './tabs.ts';

/** Shows a ringing call in the tab title and, in a hidden tab, as a notification if allowed. */
export function useRingAlert(call: PhoneCall | undefined): void {
  const { t } = useTranslation();
  const isPhoneTab = useIsPhoneTab();
  const isRinging = call?.stage === 'incoming' && call.isPlaced !== undefined;
  const text = isRinging
    ? t(call.isPlaced ? 'phone.offer' : 'phone.ringing', { who: callee(call) })
    : undefined;
  useEffect(() => {
    if (text === undefined) return;
    const title = document.title;
    document.title = `☎ ${text}`;
    const notice = isPhoneTab && document.hidden ? notify(text) : undefined;
    return () => {
      document.title = title;
      notice?.close();
    };
  }, [text, isPhoneTab]);
}

function notify(text: string): Notification | undefined {
  if (!('Notification' in window) || Notification.permission !== 'granted') return undefined;
  const notice = new Notification(text, { tag: 'disca-call', requireInteraction: true });
  notice.onclick = () => window.focus();
  return notice;
}

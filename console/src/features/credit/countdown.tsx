import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './credit.module.css';

const dayMs = 86_400_000;
const tickMs = 1_000;

/** Time left to pay: until the end of the due date, or until the code expires if that is earlier. */
export function Countdown({ dueDate, expiresAt }: { dueDate: string; expiresAt?: string }) {
  const { t } = useTranslation();
  const dueMs = Date.parse(dueDate) + dayMs;
  const endMs = expiresAt === undefined ? dueMs : Math.min(dueMs, Date.parse(expiresAt));
  const leftSeconds = useSecondsUntil(endMs);
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  if (isExpired) return <p className={classes.lead}>{t('credit.countdown.expired')}</p>;
  if (leftSeconds <= 0) return null;
  return (
    <p className={classes.countdown}>
      <Icon name="clock" size={16} />
      <span>{t('credit.countdown.left', { left: formatCountdown(leftSeconds) })}</span>
    </p>
  );
}

function useSecondsUntil(endMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000));
}

/** `2 d 04:10:59` */
function formatCountdown(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const parts = [Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return days > 0 ? `${days} d ${clock}` : clock;
}

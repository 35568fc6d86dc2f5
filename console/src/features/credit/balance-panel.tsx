import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Money } from '../../shared/format/values.tsx';
import { Definition } from '../../shared/layout/definition-list.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { Note } from '../../shared/problems/problem-note.tsx';
import classes from './credit.module.css';

/** Available credit, credit on hold for active calls, and the minutes it buys. */
export function BalancePanel() {
  const { t } = useTranslation();
  const { rate } = useFormats();
  const { credit, account } = useSession();
  if (!credit) return null;
  const { minutes } = credit;
  return (
    <Panel title={t('credit.balance.title')}>
      <div className={classes.balance}>
        <p className={classes.available}>
          <Money reais={credit.available} />
        </p>
        {minutes && (
          <p className={classes.quiet}>
            {t('credit.balance.minutes', { count: minutes.count, price: rate(minutes.minutePrice) })}
          </p>
        )}
      </div>
      {credit.available <= 0 ? (
        <Note kind="bad">{t('credit.balance.none')}</Note>
      ) : (
        credit.isLow && <Note kind="live">{t('credit.balance.low')}</Note>
      )}
      <dl className={classes.facts}>
        <Definition name={t('credit.balance.whole')}>
          <Money reais={credit.balance} />
        </Definition>
        <Definition name={t('credit.balance.held')}>
          <Money reais={credit.held} />
        </Definition>
        <Definition name={t('credit.balance.threshold')}>
          <Money reais={account.balanceLowThreshold} />{' '}
          <Link to="/settings">{t('credit.balance.change')}</Link>
        </Definition>
      </dl>
    </Panel>
  );
}

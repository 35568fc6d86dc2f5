import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Page } from '../../shared/layout/page.tsx';
import { Note } from '../../shared/problems/problem-note.tsx';
import { BalancePanel } from './balance-panel.tsx';
import { ChargesPanel } from './charges-panel.tsx';
import classes from './credit.module.css';
import { FinancialPanel } from './financial-panel.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { QuotePanel } from './quote-panel.tsx';
import { StatementPanel } from './statement-panel.tsx';

function CreditPage() {
  const { t } = useTranslation();
  const { permissions } = useSession();
  return (
    <Page title={t('shell.credit')}>
      {permissions.money ? <Credit /> : <Note kind="info">{t('credit.notYours')}</Note>}
    </Page>
  );
}

function Credit() {
  return (
    <>
      <div className={`${classes.columns} ${classes.top}`}>
        <BalancePanel />
        <div className={classes.payment}>
          <PaymentPanel />
        </div>
        <QuotePanel />
      </div>
      <div className={classes.columns}>
        <StatementPanel />
        <div className={classes.column}>
          <ChargesPanel />
          <FinancialPanel />
        </div>
      </div>
    </>
  );
}

export const page = createLazyRoute('/shell/credit')({ component: CreditPage });

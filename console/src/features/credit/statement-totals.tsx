import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Money } from '../../shared/format/values.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './credit.module.css';
import { type Totals, totalsQuery } from './queries.ts';
import { decimalsOf, periodOf, sumReais } from './view.ts';

/** What the balance was, what changed it, and what it is after the period; the parts add up. */
export function StatementTotals({
  month,
  isFiltered,
}: {
  month: string | undefined;
  /** Whether the list shows one type of entry only. */
  isFiltered: boolean;
}) {
  const { t } = useTranslation();
  const { account } = useSession();
  const totals = useQuery(totalsQuery(periodOf(month, account.timezone)));
  if (totals.error) return <ProblemNote error={totals.error} onRetry={() => void totals.refetch()} />;
  const parts = totals.data ? partsOf(totals.data) : [];
  const decimals = decimalsOf(parts.map(([, reais]) => reais));
  return (
    <div className={classes.totals} aria-busy={totals.isPending}>
      <dl className={classes.sums}>
        {parts.map(([name, reais]) => (
          <div key={name}>
            <dt>{t(`credit.totals.${name}`)}</dt>
            <dd>
              <Money reais={reais} decimals={decimals} />
            </dd>
          </div>
        ))}
      </dl>
      {isFiltered && <p className={classes.lead}>{t('credit.totals.allTypes')}</p>}
    </div>
  );
}

type Part = [name: 'opening' | 'added' | 'calls' | 'others' | 'closing', reais: number];

/** Refunds, chargebacks and adjustments are rare, and shown only if there are any. */
function partsOf({ openingBalance, charges, calls, closingBalance, ...rest }: Totals): Part[] {
  const others = sumReais([rest.refunds, rest.chargebacks, rest.adjustments]);
  const hasOthers = [rest.refunds, rest.chargebacks, rest.adjustments].some((reais) => reais !== 0);
  return [
    ['opening', openingBalance],
    ['added', charges],
    ['calls', calls],
    ...(hasOthers ? [['others', others] satisfies Part] : []),
    ['closing', closingBalance],
  ];
}

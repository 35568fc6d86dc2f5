import { Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shared/layout/page.tsx';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import { ChargePanel } from './charge-panel.tsx';
import { isOpen } from './charge-state.tsx';
import { useLiveCredit } from './live.ts';
import { chargeQuery, chargesQuery } from './queries.ts';
import { TopUpForm } from './top-up-form.tsx';

/** The selected charge, the open charge, or the form for a new one. */
export function PaymentPanel() {
  const { t } = useTranslation();
  const { charge: chosenId } = useSearch({ from: '/shell/credit' });
  const navigate = useNavigate();
  const { paidId, forgetPaid } = useLiveCredit();
  const charges = useInfiniteQuery(chargesQuery);
  const all = charges.data?.pages.flatMap(({ items }) => items);
  const shownId = chosenId ?? all?.find(({ status }) => isOpen(status))?.id ?? paidId;
  const listed = all?.find(({ id }) => id === shownId);
  const other = useQuery({
    ...chargeQuery(shownId ?? 0),
    enabled: shownId !== undefined && all !== undefined && listed === undefined,
  });
  const charge = listed ?? (shownId === undefined ? undefined : other.data);
  const close = (): void => {
    forgetPaid();
    void navigate({ to: '/credit', search: ({ charge: _, ...rest }) => rest, resetScroll: false });
  };
  const error = charges.error ?? (shownId === undefined ? null : other.error);
  if (charge) return <ChargePanel key={charge.id} charge={charge} onClose={close} />;
  return (
    <Panel title={t('credit.topUp.title')}>
      {error && (
        <ProblemNote error={error} onRetry={() => void (charges.error ? charges : other).refetch()} />
      )}
      {!error && (all === undefined || shownId !== undefined) && <Skeleton height={220} />}
      {all !== undefined && shownId === undefined && <TopUpForm />}
    </Panel>
  );
}

import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { curlWithBody } from '../../shared/format/curl.ts';
import { Money, Time } from '../../shared/format/values.tsx';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { RowSkeletons } from '../../shared/layout/skeletons.tsx';
import { ChargeState } from './charge-state.tsx';
import classes from './credit.module.css';
import { type Charge, chargesQuery } from './queries.ts';
import { TopUpButton } from './top-up-button.tsx';

const example = '{"amount": 50, "paymentMethod": "PIX", "dueDate": "YYYY-MM-DD", "description": "Crédito"}';

/** All charges, newest first. Load errors are shown in the payment panel. */
export function ChargesPanel() {
  const { t } = useTranslation();
  const charges = useInfiniteQuery(chargesQuery);
  const items = charges.data?.pages.flatMap((page) => page.items) ?? [];
  if (charges.error) return null;
  return (
    <Panel title={t('credit.charges.title')}>
      {charges.isPending && <RowSkeletons rows={2} />}
      {charges.data && items.length === 0 && (
        <EmptyState
          icon="credit"
          text={t('credit.charges.empty')}
          action={<TopUpButton />}
          curl={curlWithBody('/charges', example)}
        />
      )}
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((charge) => (
            <Entry key={charge.id} charge={charge} />
          ))}
        </ul>
      )}
      {charges.hasNextPage && (
        <Button
          variant="default"
          loading={charges.isFetchingNextPage}
          onClick={() => void charges.fetchNextPage()}
        >
          {t('credit.more')}
        </Button>
      )}
    </Panel>
  );
}

function Entry({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const { charge: chosenId } = useSearch({ from: '/shell/credit' });
  return (
    <li className={classes.entry}>
      <Link
        to="/credit"
        search={(search) => ({ ...search, charge: charge.id })}
        resetScroll={false}
        aria-current={charge.id === chosenId ? 'true' : undefined}
      >
        {t('credit.charge.title', { id: charge.id })}
      </Link>
      <span className={classes.amount}>
        <Money reais={charge.totalAmount} />
      </span>
      <span className={classes.quiet}>
        {t(`credit.methods.${charge.paymentMethod}`)}
        {' · '}
        <Time iso={charge.createdAt} form="shortTime" />
      </span>
      <ChargeState status={charge.status} />
    </li>
  );
}

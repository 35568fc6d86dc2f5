import { NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import classes from './credit.module.css';
import { type CreditSearch, lineTypes, recentMonths, validateSearch } from './view.ts';

export function StatementFilters({ type, month }: Pick<CreditSearch, 'type' | 'month'>) {
  const { t } = useTranslation();
  const choose = useChoose();
  return (
    <div className={classes.filters}>
      <MonthSelect month={month} isOptional />
      <NativeSelect
        label={t('credit.statement.type')}
        value={type ?? ''}
        onChange={(event) => choose({ type: event.currentTarget.value })}
        data={[
          { value: '', label: t('credit.statement.allTypes') },
          ...lineTypes.map((each) => ({ value: each, label: t(`credit.types.${each}`) })),
        ]}
      />
    </div>
  );
}

export function MonthSelect({
  month,
  isOptional = false,
}: {
  month: string | undefined;
  isOptional?: boolean;
}) {
  const { t, i18n } = useTranslation();
  const { account } = useSession();
  const choose = useChoose();
  const monthName = new Intl.DateTimeFormat(i18n.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const months = [...new Set([...recentMonths(account.timezone), ...(month ? [month] : [])])];
  return (
    <NativeSelect
      label={t('credit.statement.month')}
      value={month ?? ''}
      onChange={(event) => choose({ month: event.currentTarget.value })}
      data={[
        ...(isOptional ? [{ value: '', label: t('credit.statement.allMonths') }] : []),
        ...months.map((each) => ({ value: each, label: monthName.format(new Date(`${each}-01`)) })),
      ]}
    />
  );
}

/** Returns a function that changes a part of what is shown, in the URL. */
export function useChoose(): (change: Record<string, string>) => void {
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/credit' });
  return (change) => {
    void navigate({ to: '/credit', search: validateSearch({ ...search, ...change }), resetScroll: false });
  };
}

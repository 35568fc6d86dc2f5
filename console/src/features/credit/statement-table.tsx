import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Money, Time } from '../../shared/format/values.tsx';
import classes from './credit.module.css';
import type { Line } from './queries.ts';

/** Call prices have fractions of a cent; all amounts in a column use the same decimals. */
const decimals = 4;

export function StatementTable({ lines }: { lines: Line[] }) {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <caption className={classes.hidden}>{t('credit.statement.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('credit.statement.at')}</th>
          <th scope="col">{t('credit.statement.what')}</th>
          <th scope="col" className={classes.figure}>
            {t('credit.statement.amount')}
          </th>
          <th scope="col" className={classes.figure}>
            {t('credit.statement.balance')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>
              <Time iso={line.createdAt} form="shortTime" />
            </td>
            <td>
              <EntryDescription line={line} />
            </td>
            <td className={classes.figure} data-sign={line.amount < 0 ? 'minus' : 'plus'}>
              {line.amount > 0 && '+'}
              <Money reais={line.amount} decimals={decimals} />
            </td>
            <td className={classes.figure}>
              <span className={classes.narrowLabel}>{t('credit.statement.balance')} </span>
              <Money reais={line.balance} decimals={decimals} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Description of the entry with a link to its call or charge. */
function EntryDescription({ line }: { line: Line }) {
  const { t } = useTranslation();
  if (line.type === 'call')
    return (
      <Link to="/calls/$id" params={{ id: line.reference }}>
        {t('credit.types.call')}
      </Link>
    );
  if (line.type === 'adjustment')
    return (
      <>
        {t('credit.types.adjustment')} <span className={classes.reason}>{line.description}</span>
      </>
    );
  const id = Number(line.reference);
  return (
    <Link to="/credit" search={(search) => ({ ...search, charge: id })}>
      {t(`credit.lines.${line.type}`, { id })}
    </Link>
  );
}

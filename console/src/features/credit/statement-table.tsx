import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Money, Time } from '../../shared/format/values.tsx';
import { formatPhone, unbroken } from '../../shared/phone-number/format-phone.ts';
import classes from './credit.module.css';
import type { Line } from './queries.ts';

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
              <Amount reais={line.amount} />
            </td>
            <td className={classes.figure}>
              <span className={classes.narrowLabel}>{t('credit.statement.balance')} </span>
              <Money reais={line.balance} />
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
  if (line.type === 'call') return <CallDescription line={line} />;
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

/** Amounts have whole cents, except prices of calls with fractions of a cent. */
function Amount({ reais }: { reais: number }) {
  return <>{useFormats().rate(reais)}</>;
}

/** Who called whom, and for how long. Calls after their retention, and those of others, have no details. */
function CallDescription({ line: { reference, call } }: { line: Line }) {
  const { t } = useTranslation();
  const { duration } = useFormats();
  if (!call) return <>{t('credit.types.call')}</>;
  const to = unbroken(formatPhone(call.to));
  return (
    <>
      <Link to="/calls/$id" params={{ id: reference }}>
        {call.name === ''
          ? t('credit.lines.callOf', { extension: call.from, to })
          : t('credit.lines.call', { name: call.name, extension: call.from, to })}
      </Link>{' '}
      <span className={classes.duration}>{duration(call.duration)}</span>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Money } from '../../shared/format/values.tsx';
import classes from './credit.module.css';
import type { Costs } from './queries.ts';
import { decimalsOf } from './view.ts';

export function CostTable({ costs: { data, otherCalls, total } }: { costs: Costs }) {
  const { t } = useTranslation();
  const { number, duration } = useFormats();
  const decimals = decimalsOf([...data.map(({ amount }) => amount), otherCalls.amount]);
  return (
    <table className={`${classes.table} ${classes.costs}`}>
      <caption className={classes.hidden}>{t('credit.statement.parts.extensions')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('credit.costs.who')}</th>
          <th scope="col" className={classes.figure}>
            {t('credit.costs.calls')}
          </th>
          <th scope="col" className={classes.figure}>
            {t('credit.costs.talk')}
          </th>
          <th scope="col" className={classes.figure}>
            {t('credit.costs.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ extension, name, email, calls, answered, talkSeconds, amount }) => (
          <tr key={`${extension} ${email} ${name}`}>
            <td>
              {name || email}{' '}
              <span className={classes.duration}>{t('credit.costs.extension', { extension })}</span>
            </td>
            <td className={classes.figure}>
              <Calls calls={calls} answered={answered} />
            </td>
            <td className={classes.figure}>{duration(talkSeconds)}</td>
            <td className={classes.figure}>
              <Money reais={amount} decimals={decimals} />
            </td>
          </tr>
        ))}
        {otherCalls.calls > 0 && (
          <tr>
            <td className={classes.reason}>{t('credit.costs.others')}</td>
            <td className={classes.figure}>{number(otherCalls.calls)}</td>
            <td className={classes.figure} />
            <td className={classes.figure}>
              <Money reais={otherCalls.amount} decimals={decimals} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('credit.costs.total')}</th>
          <td className={classes.figure}>
            <Calls calls={total.calls} answered={total.answered} />
          </td>
          <td className={classes.figure}>{duration(total.talkSeconds)}</td>
          <td className={classes.figure}>
            <Money reais={total.amount} decimals={decimals} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Calls({ calls, answered }: { calls: number; answered: number }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <>
      {t('credit.costs.callCount', { count: calls, calls: number(calls) })}{' '}
      <span className={classes.reason}>
        {t('credit.costs.answered', { count: answered, answered: number(answered) })}
      </span>
    </>
  );
}

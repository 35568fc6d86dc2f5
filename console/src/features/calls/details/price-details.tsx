import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '../../../shared/format/formats.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { formatPrefix } from '../../../shared/phone-number/format-phone.ts';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import type { Price } from '../queries.ts';
import classes from './details.module.css';

/** The price in one sentence, expandable to its components and ledger entries. */
export function PriceDetails({ price, error }: { price: Price | null | undefined; error: unknown }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Panel title={t('calls.price.title')}>
      {error !== null && <ProblemNote error={error} />}
      {price === null && <p className={classes.plain}>{t('calls.price.none')}</p>}
      {price && (
        <>
          <p className={classes.sentence}>{sentence(t, formats, price)}</p>
          <details>
            <summary className={classes.summary}>{t('calls.price.parts')}</summary>
            <Parts price={price} />
            <Lines price={price} />
          </details>
        </>
      )}
    </Panel>
  );
}

function sentence(t: TFunction, formats: Formats, price: Price): string {
  const words = {
    duration: formats.duration(price.duration ?? 0),
    billed: formats.number(price.billedDuration ?? 0),
    rate: formats.rate(price.minutePrice),
    prefix: formatPrefix(price.prefix),
    price: formats.money(price.callPrice ?? 0, 4),
    free: price.increments.freeSeconds,
  };
  if (price.callPrice === null) {
    const held = price.entries.reduce((sum, entry) => sum + entry.held, 0);
    return t('calls.price.open', { ...words, held: formats.money(held, 4) });
  }
  return price.billedDuration === 0 ? t('calls.price.free', words) : t('calls.price.sentence', words);
}

function Parts({ price }: { price: Price }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { minimumSeconds: minimum, stepSeconds: step, freeSeconds: free } = price.increments;
  const rate = { rate: formats.rate(price.minutePrice), prefix: formatPrefix(price.prefix) };
  const facts = [
    [t('calls.price.deck'), price.rateDeck],
    [t('calls.price.rate'), t('calls.price.perMinute', rate)],
    [t('calls.price.counting'), t('calls.price.increments', { minimum, step, free })],
    [t('calls.price.rounding'), t('calls.price.halfEven')],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const kinds = ['hold', 'release', 'call'] as const;

function Lines({ price }: { price: Price }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const amount = (reais: number) => (reais === 0 ? '' : formats.money(reais, 4));
  return (
    <div className={classes.scroll}>
      <table className={classes.ledger}>
        <caption className={classes.caption}>{t('calls.price.lines')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('calls.price.at')}</th>
            <th scope="col">{t('calls.price.line')}</th>
            <th scope="col">{t('calls.price.available')}</th>
            <th scope="col">{t('calls.price.held')}</th>
            <th scope="col">{t('calls.price.charged')}</th>
          </tr>
        </thead>
        <tbody>
          {price.entries.map((entry) => (
            <tr key={entry.id}>
              <td>{formats.time(entry.at)}</td>
              <td>
                {kindText(t, entry.type)} <Copy value={entry.id} label={t('calls.price.copyLine')} />
              </td>
              <td>{amount(entry.available)}</td>
              <td>{amount(entry.held)}</td>
              <td>{amount(entry.revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function kindText(t: TFunction, type: string): string {
  const kind = kinds.find((each) => each === type);
  return kind ? t(`calls.price.kinds.${kind}`) : type;
}

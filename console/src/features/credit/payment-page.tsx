import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import { Countdown } from './countdown.tsx';
import classes from './credit.module.css';
import type { Charge } from './queries.ts';

/** Groups the digits as printed on slips. */
const printedLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');

/** Link to the page on which a slip is printed or a card is charged. A slip also has a code (linha digitável) to copy. */
export function PaymentPage({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const isSlip = charge.paymentMethod === 'BOLETO';
  return (
    <>
      <p className={classes.lead}>{t(isSlip ? 'credit.slip.lead' : 'credit.card.lead')}</p>
      {isSlip && charge.paymentCode && (
        <p className={classes.slipLine}>
          <code>{printedLine(charge.paymentCode)}</code>
          <Copy value={charge.paymentCode} label={t('credit.slip.copy')} />
        </p>
      )}
      <div className={classes.actions}>
        <Button
          component="a"
          href={charge.paymentLink}
          target="_blank"
          rel="noreferrer"
          rightSection={<Icon name="external" size={16} />}
        >
          {t(isSlip ? 'credit.slip.open' : 'credit.card.open')}
        </Button>
        {isSlip && <Countdown dueDate={charge.dueDate} />}
      </div>
    </>
  );
}

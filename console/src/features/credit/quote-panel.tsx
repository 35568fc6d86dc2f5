import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { destinationName } from '../../shared/format/destination-name.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { type FieldReader, Form } from '../../shared/forms/form.tsx';
import { Panel } from '../../shared/layout/page.tsx';
import { formatPhone, formatPrefix, unbroken } from '../../shared/phone-number/format-phone.ts';
import { ProblemNote } from '../../shared/problems/problem-note.tsx';
import classes from './credit.module.css';
import { type Quote, quoteQuery } from './queries.ts';

export function QuotePanel() {
  const { t } = useTranslation();
  const [to, setTo] = useState('');
  const quote = useQuery({ ...quoteQuery(to), enabled: to !== '' });
  const submit = (field: FieldReader): void => {
    // The API rejects `?`, as it does other text that is not a number.
    const asked = field('to').trim() || '?';
    if (asked === to) void quote.refetch();
    setTo(asked);
  };
  const isInvalid = isProblem(quote.error) && quote.error.code === 'VALIDATION_ERROR';
  return (
    <Panel title={t('credit.quote.title')}>
      <Form className={classes.inline} onSubmit={submit}>
        <TextInput
          name="to"
          type="tel"
          label={t('credit.quote.number')}
          placeholder={t('common.phoneExample')}
          error={isInvalid && t('credit.quote.faults.to')}
        />
        <Button type="submit" variant="default" loading={quote.isFetching}>
          {t('credit.quote.submit')}
        </Button>
      </Form>
      <div role="status" className={classes.status}>
        {quote.data && !quote.error && <QuoteFacts quote={quote.data} />}
      </div>
      {quote.error && !isInvalid && <ProblemNote error={quote.error} />}
    </Panel>
  );
}

function QuoteFacts({ quote }: { quote: Quote }) {
  const { t, i18n } = useTranslation();
  const { rate } = useFormats();
  return (
    <div className={classes.balance}>
      <p className={classes.price}>{t('credit.quote.price', { price: rate(quote.minutePrice) })}</p>
      <p className={classes.quiet}>
        {t('credit.quote.where', {
          number: unbroken(formatPhone(quote.to)),
          destination: destinationName(t, i18n.language, quote.description),
          prefix: formatPrefix(quote.prefix),
        })}
      </p>
      <p className={classes.quiet}>
        {t('credit.quote.steps', { minimum: quote.minimumSeconds, step: quote.stepSeconds })}
        {quote.freeSeconds > 0 && ` ${t('credit.quote.free', { count: quote.freeSeconds })}`}
      </p>
      {quote.fundedMinutes !== null && quote.minutePrice > 0 && (
        <p>{t('credit.quote.buys', { count: quote.fundedMinutes })}</p>
      )}
    </div>
  );
}

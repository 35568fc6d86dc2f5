import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Choice } from '../../shared/forms/choice.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { parseAmount } from '../../shared/forms/parse-amount.ts';
import { Note, ProblemNote } from '../../shared/problems/problem-note.tsx';
import { faultsByField } from '../../shared/problems/problem-text.ts';
import { addDays, dayInZone } from '../../shared/time/zoned-days.ts';
import classes from './credit.module.css';
import { chargesQuery, financialQuery, type NewCharge } from './queries.ts';

const methods = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
type Method = (typeof methods)[number];

const usualAmounts = [50, 100, 200, 500];
/** Due dates are dates in the banks' time zone. */
const bankZone = 'America/Sao_Paulo';
const latestDays = 7;
/** Default due date; banks take a day or two to register a slip. */
const usualSlipDays = 3;

export function TopUpForm() {
  const { t } = useTranslation();
  const { account } = useSession();
  const { money } = useFormats();
  const financial = useQuery(financialQuery);
  const [amount, setAmount] = useState(String(usualAmounts[1]));
  const [method, setMethod] = useState<Method>('PIX');
  const [slipDays, setSlipDays] = useState(usualSlipDays);
  const create = useNewCharge();
  const reais = parseAmount(amount.trim());
  const dayAhead = (days: number): string => addDays(dayInZone(new Date(), bankZone), days);
  const submit = (): void => {
    create.mutate({
      amount: reais,
      paymentMethod: method,
      dueDate: dayAhead(method === 'BOLETO' ? slipDays : 1),
      description: t('credit.topUp.description'),
    });
  };
  if (account.mode === 'live' && financial.data?.status === 'PENDING')
    return <Note kind="info">{t('credit.topUp.financialFirst')}</Note>;
  const faults = faultsByField(t, create.error);
  return (
    <Form className={classes.form} onSubmit={submit}>
      <TextInput
        name="amount"
        inputMode="decimal"
        label={t('credit.topUp.amount')}
        description={t('credit.topUp.amountHint')}
        rightSection={reais > 0 && <output className={classes.read}>{money(reais)}</output>}
        rightSectionWidth="auto"
        rightSectionPointerEvents="none"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={faults.amount && t('credit.topUp.faults.amount')}
      />
      <div className={classes.presets}>
        {usualAmounts.map((each) => (
          <Button key={each} size="xs" px="xs" variant="default" onClick={() => setAmount(String(each))}>
            {money(each)}
          </Button>
        ))}
      </div>
      <div className={classes.choice}>
        <span className={classes.label} aria-hidden="true">
          {t('credit.topUp.method')}
        </span>
        <Choice
          label={t('credit.topUp.method')}
          value={method}
          options={methods.map((each) => ({ value: each, text: t(`credit.methods.${each}`) }))}
          onChange={setMethod}
        />
      </div>
      {method === 'BOLETO' && (
        <DueDay days={slipDays} dayAhead={dayAhead} onChange={setSlipDays} fault={faults.dueDate} />
      )}
      {create.error && !faults.amount && !faults.dueDate && <ProblemNote error={create.error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={create.isPending}>
          {t(`credit.topUp.submit.${method}`)}
        </Button>
      </div>
    </Form>
  );
}

function DueDay({
  days,
  dayAhead,
  onChange,
  fault,
}: {
  days: number;
  dayAhead: (days: number) => string;
  onChange: (days: number) => void;
  fault: string | undefined;
}) {
  const { t } = useTranslation();
  const { day } = useFormats();
  const choices = Array.from({ length: latestDays }, (_, index) => index + 1);
  return (
    <NativeSelect
      name="dueDate"
      label={t('credit.topUp.dueDate')}
      value={String(days)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      data={choices.map((each) => ({ value: String(each), label: day(dayAhead(each)) }))}
      error={fault}
    />
  );
}

/** Reuses the idempotency key for identical input, so that a repeated request creates one charge. */
function useNewCharge() {
  const queryClient = useQueryClient();
  const sent = useRef({ wish: '', key: '' });
  return useMutation({
    mutationFn: (body: NewCharge) => {
      const wish = JSON.stringify(body);
      if (sent.current.wish !== wish) sent.current = { wish, key: crypto.randomUUID() };
      return unwrap(
        api.POST('/charges', { params: { header: { 'idempotency-key': sent.current.key } }, body }),
      );
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: chargesQuery.queryKey }),
  });
}

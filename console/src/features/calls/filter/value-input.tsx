import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { dispositionsQuery } from '../../../shared/notes/queries.ts';
import type { CallField, Operator } from './fields.ts';
import classes from './filter-bar.module.css';
import { useChoiceText } from './filter-text.ts';

interface ValueProps {
  field: CallField;
  operator: Operator;
  value: string;
  onChange: (value: string) => void;
  /** Value of the active filter of this field, which may be a disposition that was removed from the list. */
  active?: string | undefined;
}

export function ValueInput({ field, operator, value, onChange, active }: ValueProps) {
  if (field.kind === 'choice') return <Choices field={field} value={value} onChange={onChange} />;
  if (field.kind === 'seconds' || field.kind === 'money')
    return <Amounts field={field} operator={operator} value={value} onChange={onChange} />;
  if (field.name === 'disposition')
    return <Dispositions field={field} value={value} onChange={onChange} active={active} />;
  return <Text field={field} value={value} onChange={onChange} />;
}

function Text({ field, value, onChange }: Omit<ValueProps, 'operator'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isMoment = field.kind === 'moment';
  return (
    <TextInput
      label={isMoment ? t('calls.filters.moment', { zone: formats.timeZone }) : t('calls.filters.value')}
      type={isMoment ? 'datetime-local' : 'text'}
      inputMode={field.kind === 'digits' ? 'numeric' : undefined}
      value={value}
      maxLength={200}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The dispositions of the account; text if it has none, because calls keep those that were removed. */
function Dispositions({ field, value, onChange, active }: Omit<ValueProps, 'operator'>) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(dispositionsQuery);
  const choices = [...new Set([...(data?.names ?? []), ...(active ? [active] : [])])];
  if (choices.length === 0 && !isPending) return <Text field={field} value={value} onChange={onChange} />;
  return (
    <NativeSelect
      label={t('calls.filters.value')}
      value={value}
      disabled={isPending}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('calls.filters.choose') }, ...choices]}
    />
  );
}

function Choices({ field, value, onChange }: Omit<ValueProps, 'operator'>) {
  const { t } = useTranslation();
  const choiceText = useChoiceText();
  const chosen = value === '' ? [] : value.split(',');
  return (
    <Checkbox.Group
      label={t('calls.filters.values')}
      value={chosen}
      onChange={(values) => onChange(values.join(','))}
    >
      <div className={classes.options}>
        {field.values?.map((each) => (
          <Checkbox key={each} value={each} label={choiceText(field, each)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** Input for one or two amounts; a range is stored as `10~60`. */
function Amounts({ field, operator, value, onChange }: ValueProps) {
  const { t } = useTranslation();
  const unit = field.kind === 'money' ? t('calls.filters.reais') : t('calls.filters.seconds');
  const amount = (label: string, text: string, change: (text: string) => void) => (
    <TextInput
      label={label}
      type="number"
      min={0}
      step={field.kind === 'money' ? '0.0001' : 1}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
  if (operator !== 'between') return amount(unit, value.split('~')[0] ?? '', onChange);
  const [from = '', to = ''] = value.split('~');
  return (
    <div className={classes.pair}>
      {amount(t('calls.filters.from', { unit }), from, (text) => onChange(`${text}~${to}`))}
      {amount(t('calls.filters.to', { unit }), to, (text) => onChange(`${from}~${text}`))}
    </div>
  );
}

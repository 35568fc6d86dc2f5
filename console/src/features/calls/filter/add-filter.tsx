import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type Filter, withFilter } from '../view.ts';
import {
  type CallField,
  callFields,
  type FieldName,
  metadataName,
  needsNoValue,
  type Operator,
  operatorsFor,
} from './fields.ts';
import classes from './filter-bar.module.css';
import type { ViewProps } from './filter-bar.tsx';
import { ValueInput } from './value-input.tsx';

export function AddFilter({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const add = (filter: Filter): void => {
    setOpen(false);
    onChange(withFilter(view, filter));
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={320}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('calls.filters.add')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('calls.filters.add')}>
        <FilterForm active={view.filters} onAdd={add} />
      </Popover.Dropdown>
    </Popover>
  );
}

const firstField = callFields[0] as CallField;

function FilterForm({ active, onAdd }: { active: readonly Filter[]; onAdd: (filter: Filter) => void }) {
  const { t } = useTranslation();
  const [field, setField] = useState(firstField);
  const [operator, setOperator] = useState<Operator>('is');
  const [value, setValue] = useState('');
  const [key, setKey] = useState('');
  const operators = operatorsFor(field);
  const choose = (name: FieldName): void => {
    const chosen = callFields.find((each) => each.name === name) ?? firstField;
    setField(chosen);
    setOperator(operatorsFor(chosen)[0]);
    setValue('');
  };
  const name = field.name === 'metadata' ? metadataName(key.trim()) : field.name;
  const isWhole = needsNoValue(operator) || (value.trim() !== '' && !/^~|~$/.test(value));
  const canAdd = isWhole && (field.name !== 'metadata' || key.trim() !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canAdd)
      onAdd({ name, operator, value: needsNoValue(operator) ? '' : cleanValue(field, operator, value) });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <NativeSelect
        label={t('calls.filters.field')}
        value={field.name}
        onChange={(event) => choose(event.currentTarget.value as FieldName)}
        data={callFields.map((each) => ({ value: each.name, label: t(`calls.fields.${each.name}`) }))}
        data-autofocus
      />
      {field.name === 'metadata' && (
        <TextInput
          label={t('calls.filters.key')}
          value={key}
          maxLength={100}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      )}
      {operators.length > 1 && (
        <NativeSelect
          label={t('calls.filters.operator')}
          value={operator}
          onChange={(event) => setOperator(event.currentTarget.value as Operator)}
          data={operators.map((each) => ({
            value: each,
            label:
              field.kind === 'recording'
                ? t(`calls.recording.${each as 'exists' | 'missing'}`)
                : t(`calls.operatorNames.${each}`),
          }))}
        />
      )}
      {!needsNoValue(operator) && (
        <ValueInput
          field={field}
          operator={operator}
          value={value}
          onChange={setValue}
          active={active.find((each) => each.name === name)?.value}
        />
      )}
      <div className={classes.buttons}>
        <Button type="submit" disabled={!canAdd}>
          {t('calls.filters.apply')}
        </Button>
      </div>
    </form>
  );
}

/** Returns a complete number as typed, because the server accepts every notation; otherwise its digits. */
function cleanValue(field: CallField, operator: Operator, value: string): string {
  const isSpelled = operator === 'is' && field.name !== 'extension';
  return field.kind === 'digits' && !isSpelled ? value.replaceAll(/\D/g, '') : value.trim();
}

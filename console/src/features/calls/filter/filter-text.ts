import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { texts } from '../../../locales/pt-BR/index.ts';
import { useCauseText } from '../../../shared/format/causes.ts';
import { type Formats, useFormats } from '../../../shared/format/formats.ts';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import type { CallsView, Filter } from '../view.ts';
import { type CallField, findField, metadataKey, needsNoValue } from './fields.ts';

type CallTexts = typeof texts.calls;

export function useChoiceText(): (field: CallField, value: string) => string {
  const { t } = useTranslation();
  const causeText = useCauseText();
  return (field, value) => {
    switch (field.name) {
      case 'status':
        return t(`calls.states.${value as keyof CallTexts['states']}`, { defaultValue: value });
      case 'ended_by':
        return t(`calls.sides.${value as keyof CallTexts['sides']}`, { defaultValue: value });
      case 'call_type':
        return t(`calls.types.${value as keyof CallTexts['types']}`, { defaultValue: value });
      case 'quality':
        return t(`calls.quality.verdicts.${value as keyof CallTexts['quality']['verdicts']}`, {
          defaultValue: value,
        });
      default:
        return causeText(value);
    }
  };
}

export function useFilterText(): (filter: Filter) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const choiceText = useChoiceText();
  return (filter) => {
    const field = findField(filter.name);
    if (!field) return filter.name;
    const name = field.name === 'metadata' ? metadataKey(filter.name) : t(`calls.fields.${field.name}`);
    if (field.kind === 'recording') return t(`calls.recording.${filter.operator as 'exists' | 'missing'}`);
    const operator = t(`calls.operators.${filter.operator}`);
    if (needsNoValue(filter.operator)) return `${name} ${operator}`;
    return `${name} ${operator} ${valueText(t, formats, choiceText, field, filter)}`;
  };
}

function valueText(
  t: TFunction,
  formats: Formats,
  choiceText: ReturnType<typeof useChoiceText>,
  field: CallField,
  { operator, value }: Filter,
): string {
  const written = (text: string): string => {
    if (field.kind === 'seconds') return formats.duration(Number(text));
    return field.kind === 'money' ? formats.money(Number(text), 4) : text;
  };
  if (field.kind === 'choice')
    return value
      .split(',')
      .map((each) => choiceText(field, each))
      .join(', ');
  if (operator === 'between') {
    const [from = '', to = ''] = value.split('~');
    return t('calls.range', { from: written(from), to: written(to) });
  }
  if (field.kind === 'digits' && operator === 'is') return formatPhone(value);
  return field.kind === 'moment' ? value.replace('T', ' ') : written(value);
}

export function usePeriodText(): (view: CallsView) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ period, since, until }) => {
    if (period) return t(`calls.periods.${period}`);
    if (since && until)
      return since === until
        ? formats.day(since)
        : t('calls.range', { from: formats.day(since), to: formats.day(until) });
    if (since) return t('calls.since', { day: formats.day(since) });
    return until ? t('calls.until', { day: formats.day(until) }) : t('calls.periods.all');
  };
}

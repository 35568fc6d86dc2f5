import { CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type CallsView, withFilter, withoutFilter } from '../view.ts';
import { AddFilter } from './add-filter.tsx';
import classes from './filter-bar.module.css';
import { useFilterText } from './filter-text.ts';
import { PeriodMenu } from './period-menu.tsx';
import { quickSearchFilters } from './quick-search.ts';

export interface ViewProps {
  view: CallsView;
  onChange: (view: CallsView) => void;
}

export function FilterBar({ view, onChange }: ViewProps) {
  return (
    <div className={classes.bar}>
      <Find view={view} onChange={onChange} />
      <PeriodMenu view={view} onChange={onChange} />
      <AddFilter view={view} onChange={onChange} />
      <Chips view={view} onChange={onChange} />
    </div>
  );
}

function Find({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    const filters = quickSearchFilters(text);
    if (filters.length === 0) return;
    onChange(filters.reduce(withFilter, view));
    setText('');
  };
  return (
    <search className={classes.find}>
      <form onSubmit={find}>
        <TextInput
          aria-label={t('calls.find.label')}
          placeholder={t('calls.find.placeholder')}
          leftSection={<Icon name="search" size={16} />}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function Chips({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const filterText = useFilterText();
  if (view.filters.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t('calls.filters.active')}>
      {view.filters.map((filter) => {
        const text = filterText(filter);
        return (
          <li key={filter.name} className={classes.chip}>
            <span className={classes.chipText} title={text}>
              {text}
            </span>
            <CloseButton
              size="xs"
              aria-label={t('calls.filters.remove', { filter: text })}
              onClick={() => onChange(withoutFilter(view, filter.name))}
            />
          </li>
        );
      })}
      {view.filters.length > 1 && (
        <li>
          <button type="button" className={classes.clear} onClick={() => onChange({ ...view, filters: [] })}>
            {t('calls.filters.clear')}
          </button>
        </li>
      )}
    </ul>
  );
}

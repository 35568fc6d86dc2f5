import { CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type CallsView, maxSearchLength, withoutFilter } from '../view.ts';
import { AddFilter } from './add-filter.tsx';
import classes from './filter-bar.module.css';
import { useFilterText } from './filter-text.ts';
import { PeriodMenu } from './period-menu.tsx';

export interface ViewProps {
  view: CallsView;
  onChange: (view: CallsView) => void;
}

export function FilterBar({ view, onChange, children }: ViewProps & { children?: ReactNode }) {
  return (
    <div className={classes.bar}>
      <Find key={view.q} view={view} onChange={onChange} />
      <PeriodMenu view={view} onChange={onChange} />
      <AddFilter view={view} onChange={onChange} />
      {children}
      <Chips view={view} onChange={onChange} />
    </div>
  );
}

/** Searches all words of the calls; the period and the filters restrict the result. */
function Find({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(view.q ?? '');
  const search = (asked: string): void => {
    const { q: _, ...rest } = view;
    onChange(asked.trim() === '' ? rest : { ...rest, q: asked.trim() });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    search(text);
  };
  return (
    <search className={classes.find}>
      <form onSubmit={submit}>
        <TextInput
          aria-label={t('calls.find.label')}
          placeholder={t('calls.find.placeholder')}
          leftSection={<Icon name="search" size={16} />}
          rightSection={
            view.q !== undefined && (
              <CloseButton size="sm" aria-label={t('calls.find.clear')} onClick={() => search('')} />
            )
          }
          value={text}
          maxLength={maxSearchLength}
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

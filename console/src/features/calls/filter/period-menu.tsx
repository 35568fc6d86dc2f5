import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type CallsView, periods } from '../view.ts';
import type { ViewProps } from './filter-bar.tsx';
import { usePeriodText } from './filter-text.ts';
import classes from './period-menu.module.css';

/** Selects the start date of the calls: a preset period or a date range. */
export function PeriodMenu({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const [isOpen, setOpen] = useState(false);
  const { period, since, until, ...rest } = view;
  const choose = (chosen: Partial<CallsView>): void => onChange({ ...rest, ...chosen });
  const day = (name: 'since' | 'until', value: string): void =>
    choose({
      ...(since && { since }),
      ...(until && { until }),
      ...(value === '' ? { [name]: undefined } : { [name]: value }),
    });
  const choosePreset = (chosen: (typeof periods)[number] | undefined): void => {
    setOpen(false);
    choose(chosen ? { period: chosen } : {});
  };
  const isAll = !period && !since && !until;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="clock" size={16} />}
          rightSection={<Icon name="down" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {periodText(view)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('calls.period')}>
        <ul className={classes.list}>
          {[...periods, undefined].map((each) => (
            <li key={each ?? 'all'}>
              <button
                type="button"
                className={classes.item}
                aria-pressed={each ? each === period : isAll}
                onClick={() => choosePreset(each)}
              >
                {t(`calls.periods.${each ?? 'all'}`)}
              </button>
            </li>
          ))}
        </ul>
        <div className={classes.days}>
          {(['since', 'until'] as const).map((name) => (
            <TextInput
              key={name}
              type="date"
              label={t(`calls.days.${name}`)}
              value={view[name] ?? ''}
              onChange={(event) => day(name, event.currentTarget.value)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

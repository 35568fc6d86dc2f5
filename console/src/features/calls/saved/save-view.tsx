import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import type { CallsView } from '../view.ts';
import { NameForm } from './name-form.tsx';
import { isSameSelection, maxViews, selectionOf } from './stored-views.ts';
import type { SavedViews } from './use-saved-views.ts';

/** Saves the filters, the period and the order under a name. Absent while there is nothing to save. */
export function SaveView({ view, saved }: { view: CallsView; saved: SavedViews }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const search = selectionOf(view);
  const isKnown = saved.views.some((each) => isSameSelection(each.search, search));
  if (Object.keys(search).length === 0 || isKnown) return null;
  const isFull = saved.views.length >= maxViews;
  const save = (name: string): void => {
    setOpen(false);
    saved.save({ name, search });
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('calls.views.saveAs')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('calls.views.saveAs')}>
        {isFull ? (
          t('calls.views.full', { max: maxViews })
        ) : (
          <NameForm hint={t('calls.views.where')} onName={save} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

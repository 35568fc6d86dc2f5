import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/layout/dialog.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type CallsView, parseView } from '../view.ts';
import { NameForm } from './name-form.tsx';
import classes from './saved.module.css';
import { isSameSelection, type SavedView, selectionOf } from './stored-views.ts';
import type { SavedViews } from './use-saved-views.ts';

/** The saved views, each opened with one click. The open one can be renamed and removed. */
export function SavedList({
  view,
  saved,
  onOpen,
}: {
  view: CallsView;
  saved: SavedViews;
  onOpen: (view: CallsView) => void;
}) {
  const { t } = useTranslation();
  if (saved.views.length === 0) return null;
  const search = selectionOf(view);
  return (
    <ul className={classes.list} aria-label={t('calls.views.title')}>
      {saved.views.map((each) => {
        const isOpen = isSameSelection(each.search, search);
        return (
          <li key={each.name} className={classes.item} data-open={isOpen} data-appears="in">
            <button
              type="button"
              className={classes.open}
              aria-pressed={isOpen}
              onClick={() => onOpen(parseView(each.search))}
            >
              {each.name}
            </button>
            {isOpen && <Change view={each} saved={saved} />}
          </li>
        );
      })}
    </ul>
  );
}

function Change({ view: { name }, saved }: { view: SavedView; saved: SavedViews }) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const rename = (to: string): void => {
    setRenaming(false);
    saved.rename(name, to);
  };
  return (
    <div className={classes.more}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="transparent" size={24} aria-label={t('calls.views.change', { name })}>
            <Icon name="more" size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>{t('calls.views.rename')}</Menu.Item>
          <Menu.Item onClick={() => saved.remove(name)}>{t('calls.views.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && (
        <Dialog title={t('calls.views.rename')} onClose={() => setRenaming(false)}>
          <NameForm name={name} onName={rename} />
        </Dialog>
      )}
    </div>
  );
}

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './palette.module.css';
import { type Find, useFinds } from './palette-results.ts';

/** Uses the native `<dialog>`, which traps focus and closes on Esc. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const finds = useFinds(text.trim());
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const open = (find: Find | undefined): void => {
    if (!find) return;
    onClose();
    find.open();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((was) => (was + step + finds.length) % Math.max(1, finds.length));
    else if (event.key === 'Enter') open(finds[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={t('shell.palette.title')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={onKeyDown}
    >
      <div className={classes.field}>
        <Icon name="search" />
        <input
          className={classes.input}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-finds"
          aria-activedescendant={finds[chosen] && `find-${finds[chosen].id}`}
          aria-label={t('shell.palette.title')}
          placeholder={t('shell.palette.placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
        />
      </div>
      <Finds finds={finds} chosen={chosen} onOpen={open} />
      <p className={classes.hint} role="status">
        {finds.length === 0 ? t('shell.palette.empty', { text }) : t('shell.palette.hint')}
      </p>
    </dialog>
  );
}

function Finds({ finds, chosen, onOpen }: { finds: Find[]; chosen: number; onOpen: (find: Find) => void }) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-place="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div
      ref={list}
      id="palette-finds"
      role="listbox"
      aria-label={t('shell.palette.title')}
      className={classes.list}
    >
      {finds.map((find, place) => (
        // The input keeps the focus and handles the keyboard.
        <div
          key={find.id}
          id={`find-${find.id}`}
          role="option"
          tabIndex={-1}
          data-place={place}
          aria-selected={place === chosen}
          className={classes.find}
          onClick={() => onOpen(find)}
          onKeyDown={() => undefined}
        >
          <Icon name={find.icon} />
          <span className={classes.text}>{find.text}</span>
          <span className={classes.group}>{t(`shell.palette.${find.group}`)}</span>
        </div>
      ))}
    </div>
  );
}

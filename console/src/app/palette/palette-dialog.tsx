import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/layout/icons.tsx';
import classes from './palette.module.css';
import { type PaletteResult, usePaletteResults } from './palette-results.ts';

/** Uses the native `<dialog>`, which traps focus and closes on Esc. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const results = usePaletteResults(text.trim());
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const open = (result: PaletteResult | undefined): void => {
    if (!result) return;
    onClose();
    result.open();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((was) => (was + step + results.length) % Math.max(1, results.length));
    else if (event.key === 'Enter') open(results[chosen]);
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
          aria-controls="palette-results"
          aria-activedescendant={results[chosen] && `result-${results[chosen].id}`}
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
      <Results results={results} chosen={chosen} onOpen={open} />
      <p className={classes.hint} role="status" data-empty={results.length === 0}>
        {results.length === 0 ? t('shell.palette.empty', { text }) : t('shell.palette.hint')}
      </p>
    </dialog>
  );
}

function Results({
  results,
  chosen,
  onOpen,
}: {
  results: PaletteResult[];
  chosen: number;
  onOpen: (result: PaletteResult) => void;
}) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div
      ref={list}
      id="palette-results"
      role="listbox"
      aria-label={t('shell.palette.title')}
      className={classes.list}
    >
      {results.map((result, index) => (
        // The input keeps the focus and handles the keyboard.
        <div
          key={result.id}
          id={`result-${result.id}`}
          role="option"
          tabIndex={-1}
          data-index={index}
          aria-selected={index === chosen}
          className={classes.find}
          onClick={() => onOpen(result)}
          onKeyDown={() => undefined}
        >
          <Icon name={result.icon} />
          <span className={classes.text}>{result.text}</span>
          <span className={classes.group}>{t(`shell.palette.${result.group}`)}</span>
        </div>
      ))}
    </div>
  );
}

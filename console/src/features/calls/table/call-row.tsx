import type { TFunction } from 'i18next';
import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import { CallStateLabel } from '../../../shared/calls/call-state.tsx';
import type { Formats } from '../../../shared/format/formats.ts';
import { Icon } from '../../../shared/layout/icons.tsx';
import { NoteTags } from '../../../shared/notes/note-tags.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import type { CallRow } from '../queries.ts';
import { RunningTime } from './running-time.tsx';
import classes from './table.module.css';

/** Fixed row heights, so that no row has to be measured. */
export const rowHeight = (isCompact: boolean): number => (isCompact ? 68 : 44);

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 };

/** Hook results shared by all rows, computed once per table. */
export interface RowContext {
  t: TFunction;
  formats: Formats;
  dial: ((number: string) => void) | undefined;
}

interface RowProps {
  call: CallRow;
  index: number;
  top: number;
  isCompact: boolean;
  isOpen: boolean;
  onOpen: (id: string) => void;
  onMove: (index: number) => void;
  words: RowContext;
}

/** One row of the table. Uses plain elements only, because rows render often while scrolling. */
export const CallTableRow = memo(function CallLine(props: RowProps) {
  const { call, index, top, isCompact, isOpen, onOpen, onMove, words } = props;
  const { t, formats } = words;
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(call.id);
  };
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(Math.max(0, index + step));
  };
  const name = [call.first_name, call.last_name].filter(Boolean).join(' ');
  return (
    <tr
      aria-rowindex={index + 2}
      className={classes.line}
      data-open={isOpen}
      data-live={call.status !== 'ended'}
      style={{ height: rowHeight(isCompact), transform: `translateY(${top}px)` }}
    >
      <td className={classes.when}>
        <a
          href={`/calls/${call.id}`}
          className={classes.link}
          data-line={index}
          aria-current={isOpen || undefined}
          onClick={open}
          onKeyDown={move}
        >
          <time dateTime={call.started_at}>{formats.shortTime(call.started_at)}</time>
        </a>
      </td>
      <td className={classes.from} title={`${call.from} ${name}`}>
        {call.from} <span className={classes.quiet}>{name}</span>
      </td>
      <td className={classes.to}>
        <Destination digits={call.to} words={words} />
      </td>
      <td className={classes.state}>
        <CallStateLabel t={t} call={call} />
        <NoteTags disposition={call.disposition} tags={call.tags} />
      </td>
      <td className={classes.duration}>
        {call.record_url !== null && <Recorded text={t('calls.recording.exists')} />}
        {call.status === 'answered' && call.answered_at ? (
          <RunningTime since={call.answered_at} />
        ) : (
          call.duration > 0 && formats.duration(call.duration)
        )}
      </td>
      <td className={classes.price}>
        {call.call_price !== null && call.call_price > 0 && formats.money(call.call_price, 4)}
      </td>
    </tr>
  );
});

function Recorded({ text }: { text: string }) {
  return (
    <span className={classes.recorded} role="img" aria-label={text} title={text}>
      <Icon name="mic" size={14} />
    </span>
  );
}

function Destination({ digits, words: { t, dial } }: { digits: string; words: RowContext }) {
  const number = formatPhone(digits);
  if (!dial) return number;
  const label = t('common.call', { number });
  return (
    <>
      {number}
      <button
        type="button"
        className={classes.dial}
        aria-label={label}
        title={label}
        onClick={() => dial(digits)}
      >
        <Icon name="calls" size={14} />
      </button>
    </>
  );
}

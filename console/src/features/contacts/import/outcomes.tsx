import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import classes from './import.module.css';
import type { SentRow } from './send-rows.ts';

const outcomes = ['created', 'updated', 'unchanged', 'refused'] as const;

/** Numbers of rows by what happens, or happened, to them. */
export function Outcomes({ rows, tense }: { rows: SentRow[]; tense: 'before' | 'after' }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <dl className={classes.outcomes}>
      {outcomes.map((outcome) => (
        <div key={outcome} className={classes.outcome} data-outcome={outcome}>
          <dt>{t(`contacts.import.outcomes.${tense}.${outcome}`)}</dt>
          <dd>{formats.number(rows.filter(({ result }) => result.outcome === outcome).length)}</dd>
        </div>
      ))}
    </dl>
  );
}

import { useTranslation } from 'react-i18next';
import classes from '../dock.module.css';
import type { LineState } from '../state.ts';

export function LineBadge({ line }: { line: LineState }) {
  const { t } = useTranslation();
  return (
    <span className={classes.line} data-line={line}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`phone.line.${line}`)}
    </span>
  );
}

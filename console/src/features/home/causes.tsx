import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCauseText } from '../../shared/format/causes.ts';
import { useFormats } from '../../shared/format/formats.ts';
import { Panel } from '../../shared/layout/page.tsx';
import classes from './home.module.css';
import type { Summary } from './queries.ts';

const maxShown = 6;

/** End reasons, most frequent first, with links to the calls. */
export function Causes({ summary, period }: { summary: Summary | undefined; period: 'today' | 'month' }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const causeText = useCauseText();
  const all = summary?.hangupCauses ?? [];
  const ended = all.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Panel title={t('home.causes.title')}>
      {summary && all.length === 0 && <p className={classes.quiet}>{t('home.causes.none')}</p>}
      <ul className={classes.causes}>
        {all.slice(0, maxShown).map(({ cause, calls }) => (
          <li key={cause} className={classes.cause}>
            <Link
              to="/calls"
              search={{ hangup_cause: cause, period: period === 'today' ? 'today' : '30d' }}
              className={classes.causeName}
              title={cause}
            >
              {causeText(cause)}
            </Link>
            <span className={classes.causeCount}>
              {formats.number(calls)} <span className={classes.quiet}>{formats.percent(calls / ended)}</span>
            </span>
            <span className={classes.causeTrack} aria-hidden="true">
              <span className={classes.causeBar} style={{ width: `${(calls / ended) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

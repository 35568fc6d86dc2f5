import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { outcomeKey } from '../../../shared/format/outcome-key.ts';
import { Time } from '../../../shared/format/values.tsx';
import classes from '../integrations.module.css';
import type { FullAttempt } from '../queries.ts';
import { classifyFailure } from './failure.ts';
import { FailureText } from './failure-text.tsx';
import { CodeBlock } from './sent-request.tsx';

/** One request and its response. Shows advice if `isAdvised`. */
export function AttemptEntry({ attempt, isAdvised }: { attempt: FullAttempt; isAdvised: boolean }) {
  const { t } = useTranslation();
  const { number, at, outcome, status } = attempt;
  const failure = classifyFailure(outcome, status);
  return (
    <li className={classes.attempt}>
      <p className={classes.attemptHead}>
        <span className={classes.attemptNumber}>{t('integrations.deliveries.attempt', { number })}</span>
        <Time iso={at} />
      </p>
      <Outcome result={attempt} />
      {isAdvised && failure && <FailureText failure={failure} status={status} />}
    </li>
  );
}

/** Response summary: status, address, latency and the start of the body. */
export function Outcome({
  result,
}: {
  result: Pick<FullAttempt, 'outcome' | 'status' | 'durationMs' | 'detail' | 'address' | 'responseBody'>;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { outcome, status, durationMs, detail, address, responseBody } = result;
  const text = t(outcomeKey(result), { status: status ?? '' });
  return (
    <>
      <p className={classes.outcome} data-good={outcome === 'delivered'}>
        {t('calls.outcome', { outcome: text, ms: formats.number(durationMs) })}
        {address && <code className={classes.quiet}>{address}</code>}
      </p>
      {/* With a status, `detail` repeats the line above in English. */}
      {detail && status === null && (
        <p lang="en" className={classes.detailText}>
          {detail}
        </p>
      )}
      {responseBody && <CodeBlock text={responseBody} label={t('integrations.test.answer')} />}
    </>
  );
}

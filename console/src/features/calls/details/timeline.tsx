import { useTranslation } from 'react-i18next';
import { useCauseText } from '../../../shared/format/causes.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Icon, type IconName } from '../../../shared/layout/icons.tsx';
import { formatPhone, unbroken } from '../../../shared/phone-number/format-phone.ts';
import { useOutcomeText } from './outcome-text.ts';
import classes from './timeline.module.css';
import type { Actor, Step } from './timeline-steps.ts';

const icons: Record<Actor, IconName> = {
  you: 'person',
  phone: 'extensions',
  node: 'integrations',
  destination: 'calls',
  ledger: 'credit',
  receiver: 'send',
  system: 'settings',
};

/** Shorter pauses are not drawn as gaps. */
const minGapMs = 1_000;

export function Timeline({
  steps,
  startedAt,
  isLive,
}: {
  steps: Step[];
  startedAt: string;
  isLive: boolean;
}) {
  const { t } = useTranslation();
  const startMs = Date.parse(startedAt);
  return (
    <ol className={classes.column}>
      {steps.map((step, index) => {
        const before = steps[index - 1];
        const gapMs = before ? Date.parse(step.at) - Date.parse(before.at) : 0;
        return (
          <li key={step.key} className={classes.item}>
            {gapMs >= minGapMs && <Gap ms={gapMs} />}
            <TimelineStep step={step} afterMs={Date.parse(step.at) - startMs} />
          </li>
        );
      })}
      {isLive && (
        <li className={classes.item}>
          <div className={classes.step} data-tone="live">
            <span className={classes.dot}>
              <Icon name="live" size={16} />
            </span>
            <span className={classes.text}>{t('calls.details.inProgress')}</span>
          </div>
        </li>
      )}
    </ol>
  );
}

const minGap = 20;
const maxGap = 72;

/** Gap whose height grows with the logarithm of its duration. */
function Gap({ ms }: { ms: number }) {
  const formats = useFormats();
  const height = Math.min(maxGap, minGap + 12 * Math.log10(ms / minGapMs));
  return (
    <div className={classes.gap} style={{ minHeight: height }}>
      {formats.duration(ms / 1000)}
    </div>
  );
}

function TimelineStep({ step, afterMs }: { step: Step; afterMs: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const stepText = useStepText();
  return (
    <div className={classes.step} data-tone={step.tone}>
      <span className={classes.dot}>
        <Icon name={icons[step.actor]} size={16} />
      </span>
      <span className={classes.text}>
        <span className={classes.actor}>{t(`calls.actors.${step.actor}`)}</span>
        {stepText(step)}
      </span>
      <span className={classes.when}>
        <time dateTime={step.at} title={`${formats.dateTime(step.at)} (${formats.timeZone})`}>
          {formats.time(step.at)}
        </time>
        <span className={classes.after}>
          {t('calls.details.after', { seconds: formats.number(Math.round(afterMs / 100) / 10) })}
        </span>
      </span>
    </div>
  );
}

function useStepText(): (step: Step) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const causeText = useCauseText();
  const outcomeText = useOutcomeText();
  return ({ what, values }) => {
    const {
      ramal = '',
      to = '',
      cause = '',
      reais = 0,
      times = 1,
      gateway = '',
      type,
      delivery,
      word,
      person,
    } = values;
    const last = delivery?.attempts.at(-1);
    return t(`calls.steps.${what}`, {
      ramal,
      number: unbroken(formatPhone(to)),
      cause: causeText(cause),
      money: formats.money(reais, 4),
      count: times,
      gateway,
      event: type ? t(`calls.events.${type}`) : '',
      attempts: t('calls.attempts', { count: delivery?.attemptCount ?? 0 }),
      outcome: last ? outcomeText(last) : t('calls.noAttempt'),
      word: word ?? '',
      person: person ?? '',
    });
  };
}

import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { Panel } from '../../../shared/layout/page.tsx';
import type { Call } from '../queries.ts';
import classes from './details.module.css';

type Legs = NonNullable<Call['leg_quality']>;
type Leg = NonNullable<Legs['extension']>;
type Side = keyof Legs;

const sides = ['extension', 'destination'] as const satisfies Side[];

/** The quality of a call's audio in one sentence, and what was measured in each leg. */
export function QualityDetails({ quality, legs }: { quality: Call['quality']; legs: Legs }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('calls.quality.title')}>
      <p className={classes.sentence} data-quality={quality ?? undefined}>
        {quality ? t(`calls.quality.verdicts.${quality}`) : t('calls.quality.short')}
      </p>
      <SilentSides legs={legs} />
      <div className={classes.legs}>
        {sides.map((side) => {
          const leg = legs[side];
          return leg && <LegDetails key={side} side={side} leg={leg} />;
        })}
      </div>
      <p className={classes.plain}>{t('calls.quality.note')}</p>
    </Panel>
  );
}

function SilentSides({ legs }: { legs: Legs }) {
  const { t } = useTranslation();
  const silent = sides.filter((side) => legs[side]?.verdict === 'no_audio');
  const [side] = silent;
  if (!side) return null;
  const party = t(`calls.quality.parties.${side}`);
  return <p>{silent.length > 1 ? t('calls.quality.noAudio') : t('calls.quality.oneWay', { party })}</p>;
}

function LegDetails({ side, leg }: { side: Side; leg: Leg }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const unknown = t('calls.quality.unknown');
  const percent = (value: number | null): string =>
    value === null ? unknown : t('calls.quality.percent', { value: number(value) });
  const ms = (value: number | null): string =>
    value === null ? unknown : t('calls.quality.ms', { value: number(value) });
  const facts: [string, string][] = [
    [t('calls.quality.verdict'), useLegVerdict(leg) ?? unknown],
    [t('calls.quality.mos'), leg.mos === null ? unknown : number(leg.mos)],
    [t('calls.quality.received'), percent(leg.received_loss_percent)],
    [t('calls.quality.sent'), percent(leg.sent_loss_percent)],
    [t('calls.quality.jitter'), `${ms(leg.received_jitter_ms)} / ${ms(leg.sent_jitter_ms)}`],
    [t('calls.quality.roundTrip'), ms(leg.round_trip_ms)],
    [t('calls.quality.codec'), leg.codec ?? unknown],
  ];
  return (
    <section aria-label={t(`calls.quality.parties.${side}`)}>
      <h3 className={classes.receiverName}>{t(`calls.quality.parties.${side}`)}</h3>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useLegVerdict({ verdict, issue }: Leg): string | undefined {
  const { t } = useTranslation();
  if (!verdict) return undefined;
  const text = t(`calls.quality.verdicts.${verdict}`);
  return issue
    ? t('calls.quality.causedBy', { verdict: text, issue: t(`calls.quality.issues.${issue}`) })
    : text;
}

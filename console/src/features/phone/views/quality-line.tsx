import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import classes from '../dock.module.css';
import type { Quality } from '../state.ts';

/** Audio quality as a word, with the measurements behind it. */
export function QualityLine({ quality }: { quality: Quality }) {
  const { t } = useTranslation();
  const { percent } = useFormats();
  const { grade, lossPercent, jitterMs, roundTripMs } = quality;
  const figures = {
    loss: percent(lossPercent / 100),
    jitter: Math.round(jitterMs),
    roundTrip: roundTripMs === undefined ? '—' : Math.round(roundTripMs),
  };
  return (
    <div className={classes.quality} data-grade={grade}>
      <span className={classes.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>
        <strong>{t(`phone.quality.${grade}`)}</strong>
        <span className={classes.quiet}>{t('phone.quality.details', figures)}</span>
        {grade === 'poor' && <span className={classes.quiet}>{t('phone.quality.advice')}</span>}
      </span>
    </div>
  );
}

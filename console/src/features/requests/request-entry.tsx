import { useTranslation } from 'react-i18next';
import { useFormats } from '../../shared/format/formats.ts';
import { Time } from '../../shared/format/values.tsx';
import { Copy } from '../../shared/forms/copy-button.tsx';
import { Icon } from '../../shared/layout/icons.tsx';
import type { RecordedRequest } from './queries.ts';
import classes from './requests.module.css';

const firstError = 400;
const firstServerError = 500;

function outcomeOf(status: number): 'succeeded' | 'refused' | 'failed' {
  if (status < firstError) return 'succeeded';
  return status < firstServerError ? 'refused' : 'failed';
}

export function RequestEntry({ request }: { request: RecordedRequest }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { at, method, route, status, errorCode, requestId, tokenName, durationMs } = request;
  const outcome = outcomeOf(status);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <span className={classes.status} data-outcome={outcome}>
          <Icon name={outcome === 'succeeded' ? 'check' : 'cross'} size={14} />
          {t(`requests.outcomes.${outcome}`, { status })}
        </span>
        <span className={classes.route}>
          <strong>{method}</strong> {route === null ? t('requests.noRoute') : <code>{route}</code>}
        </span>
        <span className={classes.when}>
          <Time iso={at} /> <span>{t('requests.duration', { ms: formats.number(durationMs) })}</span>
        </span>
      </div>
      {errorCode && (
        <p className={classes.line}>
          <code className={classes.code}>{errorCode}</code>
        </p>
      )}
      <Names label={t('requests.invalid')} names={request.invalidFields} />
      <Names label={t('requests.ignored')} names={request.ignoredFields} />
      <p className={`${classes.line} ${classes.origin}`}>
        <span className={classes.id}>
          <code>{requestId}</code> <Copy value={requestId} label={t('requests.copyId')} />
        </span>
        <span>{t('requests.token', { name: tokenName ?? t('requests.unnamedToken') })}</span>
      </p>
    </li>
  );
}

function Names({ label, names }: { label: string; names: string[] | null }) {
  if (!names) return null;
  return (
    <p className={classes.line}>
      {label}{' '}
      {names.map((name) => (
        <code key={name} className={classes.code}>
          {name}
        </code>
      ))}
    </p>
  );
}

import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCauseText } from '../../../shared/format/causes.ts';
import { useFormats } from '../../../shared/format/formats.ts';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import { metadataName } from '../filter/fields.ts';
import type { Call } from '../queries.ts';
import classes from './details.module.css';

/** Remaining fields of the call record. Metadata values link to the calls that share them. */
export function CallRecord({ call }: { call: Call }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const causeText = useCauseText();
  const metadata = Object.entries(call.metadata);
  const facts: [string, string | undefined][] = [
    [t('calls.fields.duration'), call.status === 'ended' ? formats.duration(call.duration) : undefined],
    [t('calls.fields.hangup_cause'), call.hangup_cause ? causeText(call.hangup_cause) : undefined],
    [t('calls.fields.ended_by'), call.ended_by ? t(`calls.sides.${call.ended_by}`) : undefined],
    [t('calls.details.callerId'), call.caller_id ? formatPhone(call.caller_id) : undefined],
    [t('calls.fields.BINA'), call.BINA && formatPhone(call.BINA)],
    [t('calls.fields.email'), call.email],
    [t('calls.fields.call_type'), t(`calls.types.${call.call_type}`)],
    [t('calls.details.mediaNode'), call.media_node ?? undefined],
    [t('calls.fields.domain'), call.domain],
  ];
  return (
    <Panel title={t('calls.details.record')}>
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className={classes.fact}>
                <dt>{name}</dt>
                <dd>
                  {value} {name === t('calls.fields.email') && <Copy value={value} />}
                </dd>
              </div>
            ),
        )}
        {metadata.map(([key, value]) => (
          <div key={key} className={classes.fact}>
            <dt>
              <code>{key}</code>
            </dt>
            <dd>
              <MetadataValue name={key} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function MetadataValue({ name, value }: { name: string; value: unknown }) {
  if (typeof value !== 'string' && typeof value !== 'number') return <code>{JSON.stringify(value)}</code>;
  return (
    <Link to="/calls" search={{ [metadataName(name)]: value }}>
      {String(value)}
    </Link>
  );
}

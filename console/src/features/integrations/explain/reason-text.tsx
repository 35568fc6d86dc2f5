import { useTranslation } from 'react-i18next';
import type { Integration, Reason } from '../queries.ts';
import { flatConstraint, toText } from '../settings/constraint.ts';
import { readSettings } from '../settings/webhook-settings.ts';

/** Why a call was not sent, and what to change. */
export function ReasonText({
  integration,
  reason,
  metadata,
}: {
  integration: Integration;
  reason: Pick<Reason, 'code' | 'path'>;
  /** Metadata of the call, if the reason concerns one. */
  metadata?: Record<string, unknown> | undefined;
}) {
  const { t } = useTranslation();
  const { code, path } = reason;
  if (code === 'constraint') {
    const name = (path ?? '').replace(/^metadata\./, '');
    const expected = toText(flatConstraint(integration.webhookConstraint)[name]);
    if (!metadata) return t('integrations.reasons.constraint', { name, expected });
    const isThere = Object.hasOwn(metadata, name);
    return isThere
      ? t('integrations.reasons.constraintOther', { name, expected, value: toText(metadata[name]) })
      : t('integrations.reasons.constraintMissing', { name, expected });
  }
  if (code === 'type_not_listed') {
    const types = readSettings(integration).types.map((type) => t(`calls.events.${type}`));
    return t('integrations.reasons.type_not_listed', { types: types.join(', ') });
  }
  return t(`integrations.reasons.${code}`);
}

import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Copy } from '../../../shared/forms/copy-button.tsx';
import classes from '../integrations.module.css';
import type { FullDelivery } from '../queries.ts';

type Sent = NonNullable<FullDelivery['request']>;

/** The request that was sent, collapsed because it is long. */
export function SentRequest({ request, title }: { request: Sent; title: string }) {
  const { t } = useTranslation();
  const body = JSON.stringify(request.body, null, 2);
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary className={classes.summary}>{title}</summary>
      <CodeBlock
        text={[`POST ${request.url ?? ''}`, ...head, '', body].join('\n')}
        label={title}
        copied={body}
        copyLabel={t('integrations.test.copyBody')}
      />
    </details>
  );
}

/** Code block that scrolls horizontally instead of wrapping. */
export function CodeBlock({
  text,
  label,
  copied = text,
  copyLabel,
}: {
  text: string;
  label: string;
  copied?: string;
  copyLabel?: string;
}) {
  return (
    <div className={classes.codeFrame}>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <Box component="section" className={classes.code} aria-label={label} tabIndex={0}>
        <pre className={classes.pre}>{text}</pre>
      </Box>
      <span className={classes.codeCopy}>
        <Copy value={copied} {...(copyLabel && { label: copyLabel })} />
      </span>
    </div>
  );
}

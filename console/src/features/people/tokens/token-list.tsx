import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../shared/format/formats.ts';
import { Time } from '../../../shared/format/values.tsx';
import classes from '../people.module.css';
import type { ServiceToken, Token } from '../queries.ts';
import { expiryText, limitTexts, nameText, usedText } from './token-text.ts';

export function TokenList({
  title,
  tokens,
  onRevoke,
}: {
  title: string;
  tokens: (Token | ServiceToken)[];
  onRevoke: (token: Token) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul className={classes.tokens} aria-label={title}>
      {tokens.map((token) => (
        <li key={token.prefix} className={classes.token}>
          <span className={classes.tokenName}>
            {nameText(t, token)} <code className={classes.quiet}>{token.prefix}…</code>
            {limitTexts(t, token).map((text) => (
              <span key={text} className={classes.limit}>
                {text}
              </span>
            ))}
          </span>
          <span className={classes.quiet}>
            {t('people.tokens.created')} <Time iso={token.created} form="shortTime" />
          </span>
          <span className={classes.quiet}>{usedText(t, formats, token)}</span>
          <span className={classes.quiet}>{expiryText(t, formats, token)}</span>
          <Button
            size="xs"
            variant="default"
            aria-label={t('people.tokens.revokeOne', { name: nameText(t, token), prefix: token.prefix })}
            onClick={() => onRevoke(token)}
          >
            {t('people.tokens.revoke')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

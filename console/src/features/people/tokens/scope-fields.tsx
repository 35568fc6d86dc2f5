import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../people.module.css';
import { scopeKeys, scopes } from './scopes.ts';

/** Checkboxes of what a token may be used for. */
export function ScopeFields({ error }: { error?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.scopes}>
      <legend className={classes.legend}>{t('people.tokens.scopes')}</legend>
      <p className={classes.hint}>{t('people.tokens.scopesHint')}</p>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          name="scopes"
          value={scope}
          label={t(`people.tokens.scopeNames.${scopeKeys[scope]}`)}
        />
      ))}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import go from '../../../../../docs/examples/webhooks/verify.go?raw';
import javascript from '../../../../../docs/examples/webhooks/verify.js?raw';
import php from '../../../../../docs/examples/webhooks/verify.php?raw';
import python from '../../../../../docs/examples/webhooks/verify.py?raw';
import { Choice } from '../../../shared/forms/choice.tsx';
import { CodeBlock } from '../deliveries/sent-request.tsx';
import classes from '../integrations.module.css';

/** The example files of the documentation, which tests run. */
const examples = { JavaScript: javascript, Python: python, PHP: php, Go: go };
type Language = keyof typeof examples;
const languages = Object.keys(examples) as Language[];

/** A complete receiver with signature verification, in four languages. */
export function Examples() {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<Language>('JavaScript');
  return (
    <div className={classes.examples}>
      <p className={classes.hint}>{t('integrations.secret.examplesLead')}</p>
      <Choice
        label={t('integrations.secret.language')}
        value={language}
        options={languages.map((value) => ({ value, text: value }))}
        onChange={setLanguage}
      />
      <CodeBlock text={examples[language].trimEnd()} label={language} />
    </div>
  );
}

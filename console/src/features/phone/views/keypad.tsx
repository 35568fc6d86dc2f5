import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../dock.module.css';

const keys = [...'123456789*0#'];
const letters: Record<string, string> = {
  2: 'ABC',
  3: 'DEF',
  4: 'GHI',
  5: 'JKL',
  6: 'MNO',
  7: 'PQRS',
  8: 'TUV',
  9: 'WXYZ',
};

export function Keypad({ onPress }: { onPress: (key: string) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.keypad} aria-label={t('phone.keypad')}>
      {keys.map((key) => (
        <UnstyledButton key={key} className={classes.key} onClick={() => onPress(key)}>
          <span className={classes.digit}>{key}</span>
          {letters[key] && <span className={classes.letters}>{letters[key]}</span>}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

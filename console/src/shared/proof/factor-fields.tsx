import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../layout/icons.tsx';
import type { AskedFactors } from './factors.ts';

/** The fields of the second step of a login: a code, a passkey, or both to choose from. */
export function FactorFields({
  asked,
  isPending,
  onPasskey,
}: {
  asked: AskedFactors;
  isPending: boolean;
  onPasskey: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      {asked.hasPasskey && (
        <Button
          variant="default"
          leftSection={<Icon name="key" size={16} />}
          disabled={isPending}
          onClick={onPasskey}
        >
          {t('common.proof.passkey')}
        </Button>
      )}
      {asked.code && (
        <TextInput
          name="otp"
          label={t(asked.code === 'app' ? 'common.proof.code' : 'common.proof.recoveryCode')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          autoFocus
        />
      )}
    </>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
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
  const code = useRef<HTMLInputElement>(null);
  // Shown after a step, when the previous field has lost the focus.
  useEffect(() => code.current?.focus(), []);
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
          ref={code}
          name="otp"
          label={t(asked.code === 'app' ? 'common.proof.code' : 'common.proof.recoveryCode')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      )}
    </>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../api/client.ts';
import { type FieldReader, Form } from '../forms/form.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import { Dialog, DialogActions } from '../layout/dialog.tsx';
import { ProblemNote } from '../problems/problem-note.tsx';
import { faultsByField } from '../problems/problem-text.ts';
import { FactorFields } from './factor-fields.tsx';
import { type AskedFactors, askedFactors, readPasskey } from './factors.ts';
import classes from './proof.module.css';
import { SsoProof } from './sso-proof.tsx';

interface Given {
  password: string;
  otp?: string;
  usesPasskey?: boolean;
}

/** Asks for the password and the second factor again. */
export function ProofDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<AskedFactors>();
  const prove = useMutation({
    mutationFn: async ({ password, otp, usesPasskey = false }: Given) =>
      unwrap(
        api.POST('/users/me/proof', {
          body: {
            password,
            ...(otp ? { otp } : {}),
            ...(usesPasskey ? { passkey: await readPasskey() } : {}),
          },
        }),
      ),
    onSuccess: onDone,
    onError: (error) => setAsked((before) => askedFactors(error) ?? before),
  });
  const [password, setPassword] = useState('');
  const submit = (field: FieldReader): void => prove.mutate({ password, otp: field('otp').trim() });
  const faults = faultsByField(t, prove.error);
  const isStep = askedFactors(prove.error) !== undefined;
  return (
    <Dialog title={t('common.proof.title')} onClose={onClose}>
      <Form className={classes.form} onSubmit={submit}>
        <p className={classes.lead}>{t('common.proof.lead')}</p>
        <SsoProof onDone={onDone} />
        <PasswordField
          label={t('common.proof.password')}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          error={faults.password}
          data-autofocus
        />
        {asked && (
          <FactorFields
            asked={asked}
            isPending={prove.isPending}
            onPasskey={() => prove.mutate({ password, usesPasskey: true })}
          />
        )}
        {prove.error && !isStep && !faults.password && <ProblemNote error={prove.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={prove.isPending}>
            {t('common.proof.submit')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

import { layOut } from './layout.ts';
import type { Mail } from './mail.ts';
import { abuseSignal } from './templates/abuse-signal.ts';
import { accountApproved } from './templates/account-approved.ts';
import { balanceLow } from './templates/balance-low.ts';
import { confirmEmail } from './templates/confirm-email.ts';
import { confirmNewAddress } from './templates/confirm-new-address.ts';
import { emailChanged } from './templates/email-changed.ts';
import { invitation } from './templates/invitation.ts';
import { newLogin } from './templates/new-login.ts';
import { operatorCode } from './templates/operator-code.ts';
import { passwordChanged } from './templates/password-changed.ts';
import { resetPassword } from './templates/reset-password.ts';
import { secondFactorChanged } from './templates/second-factor-changed.ts';
import { signUpRefused } from './templates/sign-up-refused.ts';
import { tokenCreated } from './templates/token-created.ts';
import { webhookDisabled } from './templates/webhook-disabled.ts';

export function renderMail(mail: Mail) {
  return layOut(mail.locale, contentOf(mail));
}

function contentOf(mail: Mail) {
  switch (mail.template) {
    case 'abuse-signal':
      return abuseSignal[mail.locale](mail.data);
    case 'account-approved':
      return accountApproved[mail.locale](mail.data);
    case 'balance-low':
      return balanceLow[mail.locale](mail.data);
    case 'confirm-email':
      return confirmEmail[mail.locale](mail.data);
    case 'confirm-new-address':
      return confirmNewAddress[mail.locale](mail.data);
    case 'email-changed':
      return emailChanged[mail.locale](mail.data);
    case 'new-login':
      return newLogin[mail.locale](mail.data);
    case 'invitation':
      return invitation[mail.locale](mail.data);
    case 'reset-password':
      return resetPassword[mail.locale](mail.data);
    case 'password-changed':
      return passwordChanged[mail.locale](mail.data);
    case 'operator-code':
      return operatorCode[mail.locale](mail.data);
    case 'second-factor-changed':
      return secondFactorChanged[mail.locale](mail.data);
    case 'sign-up-refused':
      return signUpRefused[mail.locale](mail.data);
    case 'token-created':
      return tokenCreated[mail.locale](mail.data);
    case 'webhook-disabled':
      return webhookDisabled[mail.locale](mail.data);
  }
}

import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../../api/session.ts';
import { formatPhone } from '../../../shared/phone-number/format-phone.ts';
import type { StepName } from './steps.ts';

/** The carrier of test accounts answers this number, talks for 5 s and hangs up. */
const testNumber = '5511999990099';

/** The number of the first call: one that answers in test mode, else the user's own. */
export function useFirstNumber(): string {
  const { account, user } = useSession();
  return account.mode === 'test' ? testNumber : user.phone;
}

/** Returns what the step is for. */
export function useStepText(name: StepName): string {
  const { t } = useTranslation();
  const { account, user, extensions } = useSession();
  const isAdmin = useIsAdmin();
  const number = formatPhone(useFirstNumber());
  switch (name) {
    case 'email':
      return t('home.firstSteps.texts.email', { email: user.email });
    case 'credit':
      return t(`home.firstSteps.texts.credit.${account.mode}`);
    case 'extension':
      return t(isAdmin ? 'home.firstSteps.texts.extension' : 'home.firstSteps.texts.askExtension');
    case 'phone':
      return t(
        isAdmin && extensions.length === 0
          ? 'home.firstSteps.texts.phoneAndExtension'
          : 'home.firstSteps.texts.phone',
      );
    case 'call':
      return t(`home.firstSteps.texts.call.${account.mode}`, { number });
    case 'webhook':
      return t('home.firstSteps.texts.webhook');
    case 'live':
      return t('home.firstSteps.texts.live');
  }
}

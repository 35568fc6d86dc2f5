import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import type { texts } from '../../locales/pt-BR/index.ts';

type Code = keyof typeof texts.problems.links;

/** Where the cause of a problem is removed. */
const places: Record<Code, { to: '/settings' | '/credit' | '/people'; hash?: string }> = {
  CALLER_ID_NOT_ALLOWED: { to: '/settings', hash: 'caller-ids' },
  FINANCIAL_ACCOUNT_INACTIVE: { to: '/credit', hash: 'billing-details' },
  TOKEN_LIMIT: { to: '/people' },
};

const isCode = (code: string): code is Code => code in places;

/** A link to the page on which the user removes the cause, if there is one. */
export function RemedyLink({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!isProblem(error) || !isCode(error.code)) return null;
  return <Link {...places[error.code]}>{t(`problems.links.${error.code}`)}</Link>;
}

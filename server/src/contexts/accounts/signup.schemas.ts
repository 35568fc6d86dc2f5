import { z } from 'zod';
import {
  emailText,
  nameText,
  passwordText,
  phoneText,
  requestBody,
  validField,
} from '../../platform/schemas.ts';
import { isAccountDomain, userQuantities } from './account.rules.ts';

export interface SignupRules {
  domainSuffix: string;
  crmNames: string[];
  /** Address of the operator's terms of use, if there is one. */
  termsUrl: string | null;
}

const accountDomain = (domainSuffix: string) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .refine((domain) => isAccountDomain(domain, domainSuffix), {
      error: `must be 2 to 40 letters, digits or hyphens, followed by ${domainSuffix}`,
    })
    .meta({
      description: `Domain of the account: one label of 2 to 40 letters, digits or hyphens followed by \`${domainSuffix}\`.`,
      examples: [`padaria${domainSuffix}`],
      'x-kind': 'account-domain',
    });

/** The fields of an invalid sign-up that can be checked for duplicates. */
export const checkableFrom = (body: unknown, { domainSuffix }: SignupRules) => ({
  domain: validField(body, 'domain', accountDomain(domainSuffix)),
  email: validField(body, 'email', emailText),
});

export function signupBody({ domainSuffix, crmNames }: SignupRules) {
  return requestBody({
    organization_name: nameText.meta({ description: 'Name of the company.', examples: ['Padaria Central'] }),
    domain: accountDomain(domainSuffix),
    name: nameText.optional().meta({
      description: 'Name of the first user; by default that of the company.',
      examples: ['Ana Souza'],
    }),
    email: emailText,
    password: passwordText,
    phone: phoneText,
    crm: z.enum(crmNames).meta({
      description:
        'The CRM in use, or Outros. `GET /accounts/signup` returns the names that this service accepts.',
      examples: ['Outros'],
    }),
    user_quantity: z
      .enum(userQuantities)
      .meta({ description: 'How many people will place calls.', examples: ['1-5'] }),
  }).meta({ id: 'Signup' });
}

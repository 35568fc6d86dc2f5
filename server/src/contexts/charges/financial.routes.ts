import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { emailText, phoneText, refused, requestBody } from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins, permitted } from '../../platform/scopes.ts';
import { type FinancialDeps, getFinancial, sendTaxId, updateContact } from './financial-account.ts';
import { isTaxId, plainTaxId } from './tax-id.rules.ts';

const tags = ['Charges'];
const path = '/accounts/financial';
const text = z.string().nullable();

const financial = z.object({
  status: z.enum(['PENDING', 'ACTIVE', 'BLOCKED']).meta({
    description: 'PENDING until a tax id is sent, ACTIVE once the gateway has the customer.',
  }),
  company: text,
  name: text,
  email: text,
  phone: text,
  mobilePhone: text,
  personType: z
    .enum(['FISICA', 'JURIDICA'])
    .nullable()
    .meta({ description: 'FISICA for a CPF, JURIDICA for a CNPJ.' }),
  cpfCnpj: text,
  address: text,
  addressNumber: text,
  addressComplement: text,
  addressProvince: text,
  addressDistrict: text,
  addressCity: text,
  addressState: text,
  addressCountry: text,
  addressZipCode: text,
  additionalEmails: text,
});

nameSchemas({ FinancialAccount: financial });
const readOnly = Object.keys(financial.shape);

const taxId = z
  .string()
  .transform(plainTaxId)
  .refine(isTaxId, { error: 'must be a CPF or CNPJ with valid check digits' })
  .meta({
    description: 'CPF or CNPJ, including alphanumeric ones.',
    examples: ['11222333000181'],
    'x-kind': 'tax-id',
  });

/** The tax id in a change of contact data; null and an empty string count as absent. */
const knownTaxId = z
  .string()
  .max(100)
  .nullish()
  .transform((text) => (text ? plainTaxId(text) : undefined))
  .meta({
    description:
      'Cannot be changed: a tax id other than that of the ACTIVE financial account is refused. Ignored before activation.',
    'x-kind': 'tax-id',
  });

const emails = z
  .string()
  .max(1000)
  .refine((list) => list.split(',').every((each) => emailText.safeParse(each.trim()).success), {
    error: 'must be e-mail addresses, separated by commas',
  })
  .meta({
    description: 'E-mail addresses, separated by commas.',
    examples: ['financeiro@example.com'],
    'x-kind': 'emails',
  });

export const financialRoutes =
  (deps: FinancialDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      path,
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'getFinancialAccount',
          summary: 'Read the financial account',
          'x-clauses': ['AUTH-16', 'FIN-06', 'FIN-07'],
          response: { 200: financial },
        },
      },
      async (request) => await getFinancial(deps, callerOf(request)),
    );

    app.post(
      path,
      {
        config: { access: afterConsoleProof(permitted('money', forAdmins('money'))) },
        schema: {
          tags,
          operationId: 'sendTaxId',
          summary: 'Send the tax id',
          description:
            'Registers the account as a customer of the payment gateway and makes the financial account ACTIVE. From then on the tax id is final: a different one returns 409 `TAX_ID_LOCKED`, the same one returns 200.',
          'x-clauses': ['AUTH-16', 'FIN-05', 'FIN-06', 'FIN-08', 'FIN-09'],
          body: requestBody({ cpfCnpj: taxId }, readOnly).meta({ id: 'TaxId' }),
          response: { 200: financial, 409: refused('`TAX_ID_LOCKED`: the tax id can no longer be changed.') },
        },
      },
      async (request) => await sendTaxId(deps, callerOf(request), request.body.cpfCnpj),
    );

    app.put(
      path,
      {
        config: { access: afterConsoleProof(permitted('money', forAdmins('money'))) },
        schema: {
          tags,
          operationId: 'updateFinancialContact',
          summary: 'Change the contact data',
          description:
            'Also possible once the financial account is ACTIVE. null clears a field; an absent field is unchanged. A different tax id returns 409 `TAX_ID_LOCKED` once the financial account is ACTIVE.',
          'x-clauses': ['AUTH-16', 'FIN-05', 'FIN-10'],
          body: requestBody(
            {
              phone: phoneText.nullish(),
              mobilePhone: phoneText.nullish(),
              additionalEmails: emails.nullish(),
              cpfCnpj: knownTaxId,
            },
            readOnly,
          ).meta({ id: 'FinancialContact' }),
          response: {
            200: financial,
            409: refused('`TAX_ID_LOCKED`: the tax id can no longer be changed.'),
          },
        },
      },
      async (request) => await updateContact(deps, callerOf(request), request.body),
    );
  };

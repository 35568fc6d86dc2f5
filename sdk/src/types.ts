import type { Answer, Body, ItemOf } from './operation-types.ts';

/** The objects of the API by name, derived from its description; see docs/reference. */

/** Lists return every field unless `fields` omits some, which the type of `list` reflects. */
type Whole<Item, Sometimes extends PropertyKey = never> = {
  [Name in Exclude<keyof Item, Sometimes>]-?: Exclude<Item[Name], undefined>;
} & { [Name in Extract<keyof Item, Sometimes>]?: Item[Name] };

export type Account = Answer<'/accounts', 'get'>;
export type AuditEntry = Whole<ItemOf<'/audit'>>;
export type Balance = Answer<'/accounts/balance', 'get'>;
export type Call = Answer<'/calls/{id}', 'get'>;
export type CallDelivery = Answer<'/calls/{id}/deliveries', 'get'>[number];
export type CallerId = Whole<ItemOf<'/callerIds'>>;
export type CallPrice = Answer<'/calls/{id}/price', 'get'>;
export type CallRecord = Whole<ItemOf<'/calls'>, 'price' | 'timeline'>;
export type CallSummary = Answer<'/calls/summary', 'get'>;
export type Charge = Answer<'/charges/{id}', 'get'>;
export type ChargeRecord = Whole<ItemOf<'/charges'>>;
export type Delivery = Answer<'/integrations/{id}/deliveries/{deliveryId}', 'get'>;
export type DeliveryRecord = Whole<ItemOf<'/integrations/{id}/deliveries'>>;
export type Extension = Answer<'/extensions/{id}', 'get'>;
export type ExtensionRecord = Whole<ItemOf<'/extensions'>, 'senha'>;
export type FinancialAccount = Answer<'/accounts/financial', 'get'>;
export type Integration = Answer<'/integrations', 'patch'>;
export type IntegrationRecord = Whole<ItemOf<'/integrations'>>;
export type IntegrationHealth = Answer<'/integrations/health', 'get'>[number];
export type Limits = Answer<'/accounts/limits', 'get'>;
export type PhoneSession = Answer<'/extensions/{id}/phone-sessions', 'post'>;
export type PlacedCall = Answer<'/calls', 'post'>;
export type Quote = Answer<'/rates/quote', 'get'>;
export type Reconciliation = Answer<'/events/reconcile', 'get'>;
export type RecordedRequest = Whole<ItemOf<'/requests'>>;
export type RecordingAccess = Whole<ItemOf<'/calls/{id}/recording/accesses'>>;
export type StatementEntry = Whole<ItemOf<'/accounts/statement'>>;
export type Token = Answer<'/users/accessTokens', 'post'>;
export type TokenRecord = Whole<ItemOf<'/users/accessTokens'>>;
export type User = Answer<'/users/me', 'get'>;
export type UserRecord = Whole<ItemOf<'/users'>>;
export type WebhookTest = Answer<'/integrations/{id}/test', 'post'>;

/** CRM names are configured by the operator; see `signup.choices`. */
export type Signup = Omit<Body<'/accounts/signup', 'post'>, 'crm'> & { crm: string };
export type NewCall = Body<'/calls', 'post'>;
export type NewCharge = Body<'/charges', 'post'>;
export type NewExtension = Body<'/extensions', 'post'>;
export type NewUser = Body<'/users', 'post'>;

/** Event types of webhooks and the event log. */
export type EventType = Body<'/integrations/{id}/test', 'post'>['type'];

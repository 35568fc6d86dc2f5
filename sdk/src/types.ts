import type * as api from './generated/schema.ts';
import type { scopes } from './generated/scopes.ts';

/** The objects of the API by name; see docs/reference. */

export type {
  Account,
  Availability,
  Balance,
  Call,
  CallDeliveries,
  CallPrice,
  CallSummary,
  Charge,
  CreatedCharge,
  CreatedUser,
  Credit,
  Extension,
  FinancialAccount,
  HungUpCall,
  Integration,
  IntegrationHealth,
  Limits,
  LoginToken,
  MatchExplanation,
  NewCall,
  NewCharge,
  NewExtension,
  NewPermissions,
  NewUser,
  Permissions,
  PhoneSession,
  PixCode,
  PlacedCall,
  Problem,
  Quote,
  Reconciliation,
  Token,
  User,
  UserContext,
  UserDetails,
  WebhookDelivery,
  WebhookSecret,
  WebhookTest,
} from './generated/schema.ts';

/** Lists return every field unless `fields` omits some, which the type of `list` reflects. */
type Whole<Item, Sometimes extends PropertyKey = never> = {
  [Name in Exclude<keyof Item, Sometimes>]-?: Exclude<Item[Name], undefined>;
} & { [Name in Extract<keyof Item, Sometimes>]?: Item[Name] };

export interface AuditEntry extends Whole<api.AuditEntry> {}
export interface CallerId extends api.CallerId {}
export interface CallRecord extends Whole<api.CallRecord, 'price' | 'timeline'> {}
export interface ChargeRecord extends Whole<api.ChargeRecord> {}
export interface DeliveryRecord extends Whole<api.WebhookDeliveryRecord> {}
export interface ExtensionRecord extends Whole<api.ExtensionRecord, 'senha'> {}
export interface IntegrationRecord extends Whole<api.IntegrationRecord> {}
export interface RecordedRequest extends Whole<api.RecordedRequest> {}
export interface RecordingAccess extends Whole<api.RecordingAccess> {}
export interface ServiceTokenRecord extends Whole<api.ServiceTokenRecord> {}
export interface StatementEntry extends Whole<api.StatementEntry> {}
export interface TokenRecord extends Whole<api.TokenRecord> {}
export interface UserRecord extends Whole<api.UserRecord> {}

export type CallDelivery = api.CallDeliveries;
export type CostByExtension = api.CostByExtension;
export type Delivery = api.WebhookDelivery;

/** CRM names are configured by the operator; see `signup.choices`. */
export interface Signup extends Omit<api.Signup, 'crm'> {
  crm: string;
}

/** What a token can be limited to. */
export type Scope = (typeof scopes)[number];

/** Event types of webhooks and the event log. */
export type EventType = api.WebhookTestRequest['type'];

export type {
  FindTxtRecords,
  FlowRequest,
  IdentityProviders,
  IdentityResult,
  OidcClient,
} from './ports.ts';
export { ssoSeals } from './reseal-secrets.ts';

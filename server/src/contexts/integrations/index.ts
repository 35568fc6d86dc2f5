export { disableIntegration } from './disable-integration.ts';
export {
  countIntegrationsOfAccount,
  findIntegration,
  hasWebhook,
  integrationsOf,
  markProven,
} from './integration.store.ts';
export type { Integration } from './integration.ts';
export { secretSeals } from './reseal-secrets.ts';
export { openSecrets } from './secret.ts';
export { faultOfWebhookUrl, flatConstraint } from './webhook.rules.ts';

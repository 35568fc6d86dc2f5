export { disableIntegration } from './disable-integration.ts';
export { openSecrets } from './secret.ts';
export { eventTypes, faultOfWebhookUrl, literalAddress } from './webhook.rules.ts';

export { findSandboxPayment } from './charge.store.ts';
export { eraseFromFinancial } from './erasure.store.ts';
export {
  type GatewayCustomer,
  type GatewayPayment,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
  type PaymentRequest,
} from './gateway.ts';
export { createGateways } from './gateways.ts';

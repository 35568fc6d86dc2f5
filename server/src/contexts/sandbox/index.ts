export { createSandboxGateway } from './sandbox-gateway.ts';

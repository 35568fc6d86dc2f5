import { dayAhead, startSandboxFixture } from '../../harness/fixtures/sandbox.ts';
import { gatewayConformance } from './conformance.ts';

gatewayConformance('sandbox', async () => {
  const { gateway, deps, change, overdue, notification, stop } = await startSandboxFixture();
  return {
    gateway,
    dueDate: () => dayAhead(deps.clock.now(), 3),
    pay: async (id) => void (await change(id, 'pay')),
    refund: async (id) => void (await change(id, 'refund')),
    chargeback: async (id) => void (await change(id, 'charge back')),
    overdue,
    notification,
    stop,
  };
});

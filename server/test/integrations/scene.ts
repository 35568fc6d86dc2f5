/** A valid integration with a webhook. */
export const integrationBody = (
  changes: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
) => ({
  gateway: 'hubspot',
  webhook: true,
  webhookConstraint: { deal: 'D-1' },
  metadata: {
    webhookUrl: 'https://hooks.example.com/disca?key=abc',
    webhookVersion: 'v1.4',
    webhookTypes: ['channel-answer', 'channel-hangup'],
    portal: 77,
    ...metadata,
  },
  ...changes,
});

import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { versionPrefix } from './version.ts';

/** The description, readable by people at /docs. Everything it needs is served from here; nothing is sent elsewhere. */
export async function serveReference(app: FastifyInstance): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: `${versionPrefix}/openapi.json`,
      pageTitle: 'Disca API',
      authentication: { preferredSecurityScheme: 'token' },
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      withDefaultFonts: false,
      telemetry: false,
    },
  });
}

import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { versionPrefix } from '../version.ts';

/** A path of the API with its methods. */
export interface ApiPath {
  /** With `:parameters`, as it was registered. */
  pattern: string;
  methods: Set<string>;
}

export interface ApiPaths {
  /** Returns the path that a URL belongs to, whatever the method; fixed segments take precedence over parameters. */
  find(url: string): ApiPath | undefined;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The router finds routes by method first, so it cannot tell a wrong method from an unknown path. */
export function collectApiPaths(app: FastifyInstance, maxParamLength: number): ApiPaths {
  const byPattern = new Map<string, ApiPath>();
  const router = findMyWay({ maxParamLength });
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith(versionPrefix)) return;
    const path = byPattern.get(url) ?? { pattern: url, methods: new Set(['OPTIONS']) };
    if (!byPattern.has(url)) router.on('GET', url, () => undefined, path);
    byPattern.set(url, path);
    for (const each of [method].flat()) path.methods.add(each);
  });
  return { find: (url) => router.find('GET', url)?.store as ApiPath | undefined };
}

/** Returns the value of the header `Allow`. */
export const allowedMethods = ({ methods }: ApiPath): string =>
  order.filter((each) => methods.has(each)).join(', ');

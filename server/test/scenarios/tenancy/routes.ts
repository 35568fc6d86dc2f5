import type { FastifyInstance } from 'fastify';

/** Returns every route under the version prefix, as `METHOD /path/{parameter}`. */
export function listRoutes(app: FastifyInstance): string[] {
  const prefix: string[] = [];
  const names: string[] = [];
  // The printed tree is the only list of routes that a built application offers; four characters indent one level.
  for (const line of app.printRoutes().split('\n')) {
    const groups = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>[A-Z, ]+)\))?$/u.exec(line)?.groups;
    if (!groups?.part) continue;
    const level = (groups.indent ?? '').length / 4;
    prefix.splice(level, prefix.length, groups.part);
    const path = prefix.join('');
    if (!path.startsWith('/api/v1')) continue;
    const described = path.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}');
    for (const method of groups.methods?.split(', ') ?? []) names.push(`${method} ${described}`);
  }
  return names.sort();
}

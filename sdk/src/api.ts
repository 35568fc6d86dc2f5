import { contentOf, DiscaError } from './errors.ts';
import type { Answer, Input, MethodOf, Path } from './operation-types.ts';
import type { Outgoing, RequestOptions, Transport } from './transport.ts';

/** Requests of the resources, typed by the API description. */
export interface Api extends Transport {
  ask<P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    input: Input<P, M>,
    options?: RequestOptions,
    traits?: Pick<Outgoing, 'isKeyed' | 'isRepeatable' | 'headers'>,
  ): Promise<Answer<P, M>>;
}

interface AnyInput {
  path?: Record<string, string | number | undefined>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export function createApi(transport: Transport): Api {
  return {
    ...transport,
    async ask(method, path, input, options, traits) {
      const { path: places = {}, query, body } = input as AnyInput;
      const outgoing = { method: method.toUpperCase(), path: fill(path, places), query, body, ...traits };
      const { response, text } = await transport.send(outgoing, options);
      return contentOf(response, text) as Answer<typeof path, typeof method>;
    },
  };
}

/** Path segments that URL parsers would resolve to another path. */
const noNames = new Set(['', '.', '..']);

/** Fills the parameters of a path such as `/calls/{id}`. */
export const fill = (path: string, places: Record<string, string | number | undefined>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(places[name] ?? '');
    if (!noNames.has(text)) return encodeURIComponent(text);
    const message = `\`${name}\` is invalid.`;
    throw new DiscaError('VALIDATION_ERROR', {
      status: 422,
      message,
      faults: [{ path: name, code: 'invalid', message }],
    });
  });

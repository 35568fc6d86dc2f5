import type { paths } from './generated/schema.ts';

/** Types derived from the API description. */
export type Path = keyof paths;
export type MethodOf<P extends Path> = keyof paths[P] & string;
type Operation<P extends Path, M> = M extends keyof paths[P] ? paths[P][M] : never;

export type Parameters<P extends Path, M, Place extends 'path' | 'query'> =
  Operation<P, M> extends { parameters: { [place in Place]?: infer Values } }
    ? { [Name in keyof Values]: Values[Name] | number }
    : never;

export type Body<P extends Path, M> =
  Operation<P, M> extends { requestBody?: { content: { 'application/json': infer Value } } } ? Value : never;

type ContentOf<Response> = Response extends { content: { 'application/json': infer Value } }
  ? Value
  : Response extends { content: { 'text/csv': infer Value } }
    ? Value
    : undefined;

type Good<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 204 ? Responses[Status] : never;
};

/** The body of a successful response; void if there is none. */
export type Answer<P extends Path, M> =
  Operation<P, M> extends { responses: infer Responses }
    ? ContentOf<Good<Responses>[keyof Responses]>
    : never;

type Given<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { [name in Name]?: Value }
    : { [name in Name]: Value };

export type Input<P extends Path, M> = Given<'path', Parameters<P, M, 'path'>> &
  Given<'query', Parameters<P, M, 'query'>> &
  Given<'body', Body<P, M>>;

import { type Api, createApi } from './api.ts';
import type { Answer, Input, MethodOf, Path } from './operation-types.ts';
import { accessResource, serviceTokenResource, signupResource, tokenResource } from './resources/access.ts';
import {
  accountResource,
  auditResource,
  callerIdResource,
  financialResource,
  requestResource,
  statementResource,
  userResource,
} from './resources/account.ts';
import { callResource, recordingResource } from './resources/calls.ts';
import { chargeResource, rateResource, sandboxResource } from './resources/charges.ts';
import { eventResource } from './resources/events.ts';
import { extensionResource } from './resources/extensions.ts';
import { integrationResource } from './resources/integrations.ts';
import { createTransport, type DiscaOptions, type RequestOptions } from './transport.ts';

/** Client of a Disca service. */
export class Disca {
  readonly #options: DiscaOptions;
  readonly #api: Api;
  readonly access: ReturnType<typeof accessResource>;
  readonly account: ReturnType<typeof accountResource>;
  readonly audit: ReturnType<typeof auditResource>;
  readonly callerIds: ReturnType<typeof callerIdResource>;
  readonly calls: ReturnType<typeof callResource>;
  readonly charges: ReturnType<typeof chargeResource>;
  readonly events: ReturnType<typeof eventResource>;
  readonly extensions: ReturnType<typeof extensionResource>;
  readonly financial: ReturnType<typeof financialResource>;
  readonly integrations: ReturnType<typeof integrationResource>;
  readonly rates: ReturnType<typeof rateResource>;
  readonly recordings: ReturnType<typeof recordingResource>;
  readonly requests: ReturnType<typeof requestResource>;
  readonly sandbox: ReturnType<typeof sandboxResource>;
  readonly serviceTokens: ReturnType<typeof serviceTokenResource>;
  readonly signup: ReturnType<typeof signupResource>;
  readonly statement: ReturnType<typeof statementResource>;
  readonly tokens: ReturnType<typeof tokenResource>;
  readonly users: ReturnType<typeof userResource>;

  constructor(options: DiscaOptions) {
    this.#options = options;
    const api = createApi(createTransport(options));
    this.#api = api;
    this.access = accessResource(api);
    this.account = accountResource(api);
    this.audit = auditResource(api);
    this.callerIds = callerIdResource(api);
    this.calls = callResource(api);
    this.charges = chargeResource(api);
    this.events = eventResource(api);
    this.extensions = extensionResource(api);
    this.financial = financialResource(api);
    this.integrations = integrationResource(api);
    this.rates = rateResource(api);
    this.recordings = recordingResource(api);
    this.requests = requestResource(api);
    this.sandbox = sandboxResource(api);
    this.serviceTokens = serviceTokenResource(api);
    this.signup = signupResource(api);
    this.statement = statementResource(api);
    this.tokens = tokenResource(api);
    this.users = userResource(api);
  }

  /** Returns a client of the same service with another token. */
  as(token: DiscaOptions['token']): Disca {
    return new Disca({ ...this.#options, token });
  }

  /** Calls any operation of the API by method and path, typed by its description. */
  request<P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    input: Input<P, M>,
    options?: RequestOptions,
  ): Promise<Answer<P, M>> {
    return this.#api.ask(method, path, input, options);
  }
}

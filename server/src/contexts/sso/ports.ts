/** Returns the TXT records of a name, none if it does not exist; undefined if the name servers failed. */
export type FindTxtRecords = (name: string) => Promise<string[] | undefined>;

/** How the service is registered at the identity provider of an account. */
export interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUrl: string;
}

/** What a login and its callback have in common. */
export interface FlowRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** The user must authenticate again, also with a session at the provider. */
  isFresh: boolean;
  loginHint: string | undefined;
}

/** A user as the provider has identified them. */
export interface Identity {
  /** Identifies the user at the issuer, and never changes. */
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  locale: string | undefined;
  authenticatedAt: Date | undefined;
}

export interface Failure {
  /** `unavailable`: the provider was not reached; `refused`: it refused, or its response is not valid. */
  outcome: 'unavailable' | 'refused';
  detail: string;
}

export type BeginResult = { outcome: 'done'; url: string } | Failure;
export type IdentityResult = { outcome: 'done'; identity: Identity } | Failure;

/** Failures of a provider are results. */
export interface IdentityProviders {
  /** Returns the address where the user logs in. */
  begin(client: OidcClient, flow: FlowRequest): Promise<BeginResult>;
  /** Exchanges the query of the callback for the identity of the user. */
  finish(client: OidcClient, flow: FlowRequest, query: string): Promise<IdentityResult>;
}

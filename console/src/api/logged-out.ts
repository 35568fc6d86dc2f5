let handle = (): void => undefined;

/** The router knows where to log in, and is made after everything that may be refused. */
export const onLoggedOut = (handler: () => void): void => {
  handle = handler;
};

/** For whoever learns that the session of this page has ended, otherwise than by a query or a mutation. */
export const loggedOut = (): void => handle();

let handle = (): void => undefined;

/** Registers the logout handler. Set by the router, which is created after the modules that report a lost session. */
export const onLoggedOut = (handler: () => void): void => {
  handle = handler;
};

/** Reports that the session has ended, for code other than queries and mutations. */
export const loggedOut = (): void => handle();

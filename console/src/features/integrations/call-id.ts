const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Returns the call id in a text, such as the address of the call's page. */
export const findCallId = (text: string): string | undefined => uuid.exec(text)?.[0].toLowerCase();

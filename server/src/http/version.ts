/** Path prefix of all API routes; pages for people have no prefix. */
export const versionPrefix = '/api/v1';

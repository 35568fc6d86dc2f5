/** Every route of the API stands under its version; what stands beside it are pages for people. */
export const versionPrefix = '/api/v1';

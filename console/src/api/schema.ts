/** Types of the API, generated from its OpenAPI document by tools/api-types.ts. Shared with the SDK. */
export type { paths } from '../../../sdk/src/generated/schema.ts';

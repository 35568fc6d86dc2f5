export { acceptNodes, nodeCredentials } from './accept-nodes.ts';
export { readDetailRecord } from './detail-record.ts';

export { acceptNodes, basicCredentials } from './accept-nodes.ts';
export { readDetailRecord } from './detail-record.ts';

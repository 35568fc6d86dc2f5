export { eraseRequests } from './erase-requests.ts';
export { createRequestLog, type RequestLog } from './record-requests.ts';
export { fieldNames, isRecorded } from './request.rules.ts';

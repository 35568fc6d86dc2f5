export { eraseRequests } from './erase-requests.ts';
export { createRequestLog, type RequestLog } from './record-requests.ts';
export { fieldNames, isRecorded, requestRetentionDays } from './request.rules.ts';

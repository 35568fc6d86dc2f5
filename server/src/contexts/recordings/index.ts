export { eraseAccessesFrom, eraseAccessesTo } from './access.store.ts';
export { type Comparison, compareFiles } from './compare-files.ts';
export { eraseRecordings, removeErasedFiles } from './erase-recordings.ts';
export { BodyMismatch, type RecordingStorage } from './ports.ts';
export { recordedCalls } from './recorded-calls.ts';
export { objectKeyOf } from './recording.rules.ts';
export { type RecordingUrlDeps, recordingUrl } from './recording-url.ts';
export { findRecordingUse, mayRecord } from './recording-use.store.ts';
export { storeRecording, type Upload } from './store-recording.ts';

export { eraseRecordings, removeErasedFiles } from './erase-recordings.ts';
export { expectRecording, recordedCalls, recordingMissing } from './expect-recording.ts';
export { BodyMismatch, type ByteRange, type RecordingStorage } from './ports.ts';
export { linkSeconds, type RecordingUrlDeps, recordingUrl } from './recording-url.ts';
export { type StoreRecordingDeps, storeRecording, type Upload } from './store-recording.ts';

export { type Comparison, compareFiles } from './compare-files.ts';
export { eraseRecordings, removeErasedFiles } from './erase-recordings.ts';
export { expectRecording, recordedCalls } from './expect-recording.ts';
export { BodyMismatch, type RecordingStorage } from './ports.ts';
export { type RecordingUrlDeps, recordingUrl } from './recording-url.ts';
export { storeRecording, type Upload } from './store-recording.ts';

export {
  type AgainstOptions,
  type AgainstReport,
  type ComparedCall,
  replayAgainst,
  type SkippedCall,
} from './against.ts';
export { type NotRecorded, shortJson } from './matching.ts';
export { type Recorder, type RecorderOptions, startRecorder } from './recorder.ts';
export { type Replay, type ReplayOptions, startReplay } from './replay-server.ts';
export {
  type RecordedExchange,
  readSession,
  SessionFile,
  UnreadableSession,
  writeSession,
} from './session-file.ts';

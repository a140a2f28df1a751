// The conformance kit, which calls a running server from outside and checks it against the contract.
export type { Check } from './check.ts';
export { jsonReport } from './report-json.ts';
export { junitReport } from './report-junit.ts';
export { textReport } from './report-text.ts';
export { type Failure, type Outcome, type Report, type RunOptions, runChecks } from './run.ts';
export { selectChecks, UnknownSelection } from './select.ts';
export type { SignatureMode, Target } from './target.ts';

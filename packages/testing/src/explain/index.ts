export { type ExplainedCall, explainCall, explainCalls, type LoggedCall } from './call.ts';
export type { NextStep } from './hints.ts';
export { readCalls } from './reading/index.ts';
export { UnreadableCalls } from './reading/unreadable.ts';
export { explainSignature, type SignatureKnowledge, type SignedCall } from './signature.ts';

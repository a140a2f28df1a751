// Names of the workbench API for callers that do not load its schemas.

/** The beginning of the path of every endpoint of the workbench. */
export const workbenchRoot = '/_dev';

/** The events that a workbench can cause for an account. */
export const triggerEvents = [
  'reconnect',
  'fullSync',
  'talkException',
  'ping',
  'cut',
  'silence',
  'expireTokens',
  'endSessions',
  'message',
] as const;
export type TriggerEvent = (typeof triggerEvents)[number];

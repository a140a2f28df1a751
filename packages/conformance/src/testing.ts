// Exports parts of the kit for tests that run a server in their own process.
export { complaint } from './answers.ts';
export { absentWorld, strangerRules } from './derived/absent-world.ts';
export { neutral, tryRule } from './derived/access.ts';
export { type AccessRule, accessRules, card, keyAndSessionRules, ownOnly, relations } from './derived/access-rules.ts';
export { createPeople, type People } from './derived/access-world.ts';
export {
  bodyWith,
  leanArgs,
  type Path,
  placesIn,
  type Sample,
  sampleArgs,
  sampleValue,
} from './derived/sample-arguments.ts';
export { type WrongValue, wrongValues } from './derived/wrong-values.ts';
export * from './new-device.ts';
export * from './raw-client.ts';
export { type OpenStream, openStream, type StreamEvent } from './stream.ts';
export { createWorld } from './world.ts';

// The checks of keys, in one piece that is loaded at the first check.
export { KeyLogWitness } from '../key-log/key-log-witness.ts';
export { checkOwnKeys } from './own-keys.ts';

// The code that checks keys, in one module that is loaded at the first check.
export { KeyLogWitness } from '../key-log/key-log-witness.ts';
export { checkOwnKeys } from './own-keys.ts';

// The checks of keys, in one piece that is loaded at the first check. It needs the hashes and signatures of the key log,
// which are a good part of what sealing needs.
export { KeyLogWitness } from '../key-log/key-log-witness.ts';
export { contactTrust, verifyContact } from './contacts.ts';
export { checkOwnKeys } from './own-keys.ts';

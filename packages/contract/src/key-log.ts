// The log of all registered public keys, which the specification does not have. With the log, anybody can check that
// the server shows everybody the same keys and never removes one.
import Type, { type Static } from 'typebox';
import { arg, rpc } from './method.ts';
import { Base64, countUpTo, I64Text, list, optional } from './schema.ts';

const Count = Type.Integer({ minimum: 0, maximum: 2147483647, description: 'a number of keys' });
const Hash = Type.String({ description: 'SHA-256 as base64' });

/** A signed summary of the log at one point in time: TreeHeadDataV2 of RFC 9162, signed with Ed25519. */
export const KeyTreeHead = Type.Object(
  {
    treeSize: Count,
    timestamp: I64Text,
    rootHash: Hash,
    signature: Base64,
    publicKey: Type.String({ description: 'the key of the signature: 32 bytes of Ed25519 as base64' }),
  },
  { title: 'KeyTreeHead' },
);
export type KeyTreeHead = Static<typeof KeyTreeHead>;

/** A registered key. Its position in the log, counted from 0, is its id minus 1. */
export const KeyLogEntry = Type.Object(
  {
    midHash: Type.String({ description: "SHA-256 of the owner's mid as base64" }),
    keyId: Count,
    keyData: Base64,
    createdTime: I64Text,
  },
  { title: 'KeyLogEntry' },
);
export type KeyLogEntry = Static<typeof KeyLogEntry>;

export const KeyLogProof = Type.Object({ hashes: list(Hash) }, { title: 'KeyLogProof' });
export type KeyLogProof = Static<typeof KeyLogProof>;

export const keyLog = {
  'KeyTransparencyService.getTreeHead': rpc({
    summary: 'Returns the signed head of the key log as it is now.',
    auth: 'none',
    limit: 'log',
    args: [],
    result: KeyTreeHead,
    errors: [],
    origin: 'extension',
  }),
  'KeyTransparencyService.getInclusionProof': rpc({
    summary: 'Proves that the log contained a key when it had a given size.',
    auth: 'none',
    limit: 'log',
    args: [arg('request', Type.Object({ keyId: Count, treeSize: Count }))],
    result: KeyLogProof,
    errors: ['NOT_FOUND'],
    origin: 'extension',
  }),
  'KeyTransparencyService.getConsistencyProof': rpc({
    summary: 'Proves that the log of one size begins with the log of an earlier size.',
    auth: 'none',
    limit: 'log',
    args: [arg('request', Type.Object({ firstSize: Count, secondSize: Count }))],
    result: KeyLogProof,
    errors: ['NOT_FOUND'],
    origin: 'extension',
  }),
  'KeyTransparencyService.getEntries': rpc({
    summary: 'Returns a page of the keys in the log, in order, after a given number of keys.',
    auth: 'none',
    limit: 'log',
    args: [arg('request', Type.Object({ after: Count, count: optional(countUpTo('keyLogPage', '', 0)) }))],
    result: list(KeyLogEntry, 'keyLogPage'),
    errors: [],
    origin: 'extension',
  }),
} as const;

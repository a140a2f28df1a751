export { createSha256 } from '#streaming-hash';
export { type Bytes, fromBase64, randomBytes, toBase64 } from './bytes.ts';
export { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from './key-chain.ts';
export { deviceSecret, keyChainHash, type SealedKeyChain, sealKeyChain, unsealKeyChain } from './key-chain-seal.ts';
export { readSealedHeader, type SealedHeader, type SealingVersion } from './letter-sealing/chunks.ts';
export { unwrapGroupKey, wrapGroupKey } from './letter-sealing/group-key.ts';
export {
  type Envelope,
  type MessageKeys,
  openMessage,
  type SealedMessage,
  sealMessage,
} from './letter-sealing/message.ts';
export { isSealableType, type SealableType, type SealedPayloads } from './letter-sealing/payload.ts';
export { type KeyHolder, type SafetyNumber, safetyNumber } from './letter-sealing/safety-number.ts';
export { createLoginSecret, createPin, openLoginSecret } from './login-secret.ts';
export { loginWords, sameLoginWords } from './login-words.ts';
export { createKeyMaterial } from './media/media-keys.ts';
export { decryptUnverified, type MediaKind, openMedia, openVerifiedMedia, verifyMedia } from './media/open-media.ts';
export { createVideoReader, type VideoReader } from './media/open-video.ts';
export { type ByteSource, chunksOf } from './media/pieces.ts';
export { type SealedVideo, sealMedia, sealVideo } from './media/seal-media.ts';
export { OpenError, type OpenErrorReason } from './open-error.ts';
export { createRecordKey, importRecordKey, openRecord, sealRecord } from './record-box.ts';
export { openKeyChainBackup, sealKeyChainBackup } from './recovery/key-chain-backup.ts';
export { openWithPassphrase, type PassphraseCost, sealWithPassphrase } from './recovery/passphrase.ts';
export { createRecoveryPassphrase, readRecoveryPassphrase } from './recovery/recovery-passphrase.ts';
export {
  createSigner,
  type SignatureKeyParts,
  type SignedRequest,
  type Signer,
  signRequest,
} from './signature.ts';
export { encodeKeyLeaf, type KeyLeaf, midHash } from './transparency/key-leaf.ts';
export { emptyRoot, leafHash, nodeHash } from './transparency/tree-hash.ts';
export { encodeTreeHead, type TreeHead, verifyTreeHead } from './transparency/tree-head.ts';
export { appendLeaves, type NodePlace, type ReadNodes, type TreeNode, treeRoot } from './transparency/tree-nodes.ts';
export { consistencyProof, inclusionProof } from './transparency/tree-proofs.ts';
export { verifyConsistency, verifyInclusion } from './transparency/verify-proofs.ts';
export { createKeyPair, KEY_LENGTH, type KeyPair, keyPairOf, publicKeyOf, sharedSecret } from './x25519.ts';

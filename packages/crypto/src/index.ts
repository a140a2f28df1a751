export { type Bytes, fromBase64, toBase64 } from './bytes.ts';
export { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from './key-chain.ts';
export { deviceSecret, keyChainHash, type SealedKeyChain, sealKeyChain, unsealKeyChain } from './key-chain-seal.ts';
export { createLoginSecret, createPin, openLoginSecret } from './login-secret.ts';
export {
  createSigner,
  type SignatureKeyParts,
  type SignedRequest,
  type Signer,
  signRequest,
} from './signature.ts';
export { createKeyPair, KEY_LENGTH, type KeyPair, keyPairOf, publicKeyOf, sharedSecret } from './x25519.ts';

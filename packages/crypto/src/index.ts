export {
  createSigner,
  type SignatureKeyParts,
  type SignedRequest,
  type Signer,
  signRequest,
} from './signature.ts';

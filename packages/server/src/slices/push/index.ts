// Web Push: the exports of the slice.
export { createPush, forgetPush, type Push, type PushDeps } from './push.ts';
export { createPushKeys, isPrivateKey, type PushKeys, privateKeyFrom } from './push-keys.ts';

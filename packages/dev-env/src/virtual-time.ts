// Time that passes only when a test moves it.
export { type VirtualTime, virtualTime } from '@sealpost/testing/virtual-time';

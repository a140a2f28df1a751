export { type PrimaryDeviceDeps, primaryDeviceHandlers } from './handlers.ts';

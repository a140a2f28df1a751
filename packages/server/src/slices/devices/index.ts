export { type DeviceDeps, deviceHandlers } from './handlers.ts';

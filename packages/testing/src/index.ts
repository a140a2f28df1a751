export { startTestServer } from './start-test-server.ts';
export type {
  CallFilter,
  TestClock,
  TestServer,
  TestServerOptions,
  WaitOptions,
} from './test-server.ts';

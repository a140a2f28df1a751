export {
  type Config,
  ConfigError,
  loadConfig,
  type Profile,
  type SettingValue,
  settings,
  settingValues,
} from './config.ts';
export { runServer } from './main.ts';
export { createServer, type RunningServer, type ServerOptions } from './server.ts';

export {
  type Config,
  ConfigError,
  loadConfig,
  type Profile,
  settings,
  settingValues,
} from './config.ts';
export { runServer } from './main.ts';
export { createServer, type RunningServer, type ServerOptions } from './server.ts';
export { type SettingValue, shownValue } from './setting-value.ts';

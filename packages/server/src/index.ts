export { runServer } from './main.ts';
export {
  type Config,
  ConfigError,
  loadConfig,
  type Mode,
  settings,
  settingValues,
} from './start/config/config.ts';
export { type SettingValue, shownValue } from './start/config/setting-value.ts';
export { createServer, type RunningServer, type ServerOptions } from './start/server.ts';

export { runServer } from './main.ts';
export { ConfigError } from './platform/kernel/config-error.ts';
export { type Config, loadConfig } from './start/config/config.ts';
export type { Mode } from './start/config/setting.ts';
export { type SettingValue, shownValue } from './start/config/setting-value.ts';
export { settings } from './start/config/settings.ts';
export { settingValues } from './start/config/sources.ts';
export { createServer, type RunningServer } from './start/server.ts';
export type { ServerOptions } from './start/server-options.ts';

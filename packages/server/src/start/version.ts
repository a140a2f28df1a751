// The version of this server.
import packageJson from '../../package.json' with { type: 'json' };

export const { version } = packageJson;

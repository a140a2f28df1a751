// The text that the terminal shows at the start: every address, the place of the data, and what to try next.
import { resolve } from 'node:path';
import type { Config } from './config/config.ts';
import { startWarnings } from './config/warnings.ts';
import type { DevAccount } from './dev-accounts.ts';
import type { RunningServer } from './server.ts';

const DEFAULT_PORT = '8787';

export function banner(server: RunningServer, config: Config, seeded: readonly DevAccount[]): string {
  const { url } = server;
  const options = neededOptions(url, config);
  const lines = [
    `sealpost ${server.version}  mode=${config.mode}  data=${server.store.location}`,
    ...webClientLine(server, seeded),
    `  Gateway     ${url}  clients point here`,
    `  API docs    ${url}/docs  try every call`,
    `  Admin API   ${url}/api/admin/v1  token in ${config.adminToken ? 'SEALPOST_ADMIN_TOKEN' : `${config.dataDir}/admin-token`}`,
    `  Health      ${url}/readyz  ${url}/metrics`,
    ...startWarnings(config).map((warning) => `  Warning     ${warning}`),
  ];
  if (config.mode === 'dev') {
    lines.push(
      `  Accounts    ${seeded.map((account) => `${account.userid} / ${account.password}`).join('   ')}`,
      '',
      'Try, in two other terminals:',
      `  npx sealpost listen --as bob${options.client}`,
      `  npx sealpost send bob "hello" --as alice${options.client}`,
      '',
      'These passwords are known to everybody: for real accounts use `sealpost serve`.',
    );
  } else {
    lines.push(
      '',
      `Next:  sealpost account create <userid>${options.admin}   then   sealpost login <userid>${options.client}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the line with the address of the web client. In dev mode it names two logins to begin with. */
function webClientLine({ url, webClient }: RunningServer, seeded: readonly DevAccount[]): string[] {
  if (webClient === 'none') return [];
  if (webClient === 'not built') return ['  Web client  not built: npm run build -w packages/web'];
  const logins = seeded.slice(0, 2).map(({ userid, password }) => `${userid} / ${password}`);
  const hint = logins.length === 0 ? '' : `  open it in two browsers: ${logins.join(', ')}`;
  return [`  Web client  ${url}${hint}`];
}

/**
 * Returns the flags that commands in another terminal need to find this server. Commands that run in the same folder
 * need no flags, because they find the data folder there.
 */
function neededOptions(address: string, { dataDir, dataDirIsFound, mode }: Config) {
  const folder = dataDirIsFound ? '' : ` --data-dir ${inShell(resolve(dataDir))}`;
  const url = dataDirIsFound && new URL(address).port === DEFAULT_PORT ? '' : ` --url ${address}`;
  return {
    admin: folder,
    client: mode === 'dev' ? url + folder : url,
  };
}

const inShell = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

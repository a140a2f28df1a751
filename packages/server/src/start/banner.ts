// The text that the terminal shows at the start: all addresses, where the data are, and commands to try next.
import { resolve } from 'node:path';
import type { Config } from './config/config.ts';
import { PUBLIC_BUILD_TOKEN } from './config/settings.ts';
import { startWarnings } from './config/warnings.ts';
import { type DevAccount, devAdministrator } from './dev-accounts.ts';
import type { RunningServer } from './server.ts';

const DEFAULT_PORT = '8787';

/** The facts about a server that the banner shows. */
export interface ShownServer extends Pick<RunningServer, 'url' | 'version' | 'metricsUrl' | 'webClient'> {
  readonly store: Pick<RunningServer['store'], 'location'>;
}

/** @param setup the link that makes the first administrator; absent if the server has one */
export function banner(
  server: ShownServer,
  config: Config,
  seeded: readonly DevAccount[],
  setup?: { readonly link: string },
): string {
  const { url } = server;
  const options = neededOptions(url, config);
  const lines = [
    `sealpost ${server.version}  mode=${config.mode}  data=${server.store.location}`,
    ...webClientLine(server, seeded),
    `  Gateway     ${url}  clients point here`,
    `  API docs    ${url}/docs  try every call`,
    `  Admin API   ${url}/api/admin/v1  token in ${config.adminToken ? 'SEALPOST_ADMIN_TOKEN' : `${config.dataDir}/admin-token`}`,
    ...(setup ? [`  Setup       ${setup.link}  makes the first administrator, once, within 15 minutes`] : []),
    `  Health      ${url}/readyz  ${server.metricsUrl}`,
    ...startWarnings(config).map((warning) => `  Warning     ${warning}`),
  ];
  if (config.mode === 'dev') {
    lines.push(
      `  Inspector   ${url}/inspect  every call as it happens: docs/inspector.md`,
      `  Workbench   ${url}/_dev/  clock, faults, requests, saved states: docs/testing.md`,
      `  Admin       ${devAdministrator.name} / ${devAdministrator.password}  at ${url}/admin`,
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

/** Returns the line with the address of the web client. In dev mode, the line names two logins to try. */
function webClientLine({ url, webClient }: ShownServer, seeded: readonly DevAccount[]): string[] {
  if (webClient === 'none') return [];
  if (webClient === 'not built') return ['  Web client  not built: npm run build -w packages/web'];
  const logins = seeded.slice(0, 2).map(({ userid, password }) => `${userid} / ${password}`);
  const hint = logins.length === 0 ? '' : `  open it in two browsers: ${logins.join(', ')}`;
  return [`  Web client  ${url}${hint}`];
}

/**
 * Returns the flags that commands need in another terminal to find this server. If the commands run in the same folder,
 * they find the data folder by themselves and need no flags. If the server accepts only build tokens of its own, clients
 * need one of them.
 */
function neededOptions(address: string, { dataDir, dataDirIsFound, mode, signature, buildTokens }: Config) {
  const folder = dataDirIsFound ? '' : ` --data-dir ${inShell(resolve(dataDir))}`;
  const url = dataDirIsFound && new URL(address).port === DEFAULT_PORT ? '' : ` --url ${address}`;
  // The token is a secret, and what is shown here may be stored in a log.
  const isPublic = signature !== 'strict' || buildTokens.includes(PUBLIC_BUILD_TOKEN);
  const token = isPublic ? '' : ' --build-token <build token>';
  return {
    admin: folder,
    client: (mode === 'dev' ? url + folder : url) + token,
  };
}

const inShell = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

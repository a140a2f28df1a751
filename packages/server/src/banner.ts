// What the terminal shows at the start: every address, where the data lies, and what to try next.
import type { Config } from './config.ts';
import type { DevAccount } from './dev-accounts.ts';
import type { RunningServer } from './server.ts';
import { startWarnings } from './start-warnings.ts';

export function banner(server: RunningServer, config: Config, seeded: readonly DevAccount[]): string {
  const { url } = server;
  const lines = [
    `sealpost ${server.version}  profile=${config.profile}  data=${server.store.location}`,
    `  Gateway     ${url}  clients point here`,
    `  API docs    ${url}/docs  try every call`,
    `  Admin API   ${url}/api/admin/v1  token in ${config.adminToken ? 'SEALPOST_ADMIN_TOKEN' : `${config.dataDir}/admin-token`}`,
    `  Health      ${url}/readyz  ${url}/metrics`,
    ...startWarnings(config).map((warning) => `  Warning     ${warning}`),
  ];
  if (config.profile === 'dev') {
    lines.push(
      `  Accounts    ${seeded.map((account) => `${account.userid} / ${account.password}`).join('   ')}`,
      '',
      'Try, in two other terminals:',
      '  npx sealpost listen --as bob',
      '  npx sealpost send bob "hello" --as alice',
      '',
      'These passwords are known to everybody: for real accounts use `sealpost serve`.',
    );
  } else {
    lines.push('', 'Next:  sealpost account create <userid>   then   sealpost login <userid>');
  }
  return `${lines.join('\n')}\n`;
}

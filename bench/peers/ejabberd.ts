// Starts ejabberd of Debian: storage in PostgreSQL, an archive of all messages for everybody, no TLS, no limits.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../scripts/test-postgres.ts';
import type { DatabaseServer } from '../database/server.ts';
import { type Peer, type PeerOptions, startPeer } from './peer.ts';
import { DOMAIN } from './xmpp.ts';

export const EJABBERD_TABLES = '/usr/share/ejabberd/sql/pg.sql';

/** The modules that Debian's configuration enables, as far as they have to do with messages between two people. */
const MODULES = [
  'mod_blocking',
  'mod_caps',
  'mod_carboncopy',
  'mod_client_state',
  'mod_disco',
  'mod_last',
  'mod_offline',
  'mod_privacy',
  'mod_private',
  'mod_roster',
  'mod_stream_mgmt',
  'mod_vcard',
];

/**
 * Erlang waits busily for work by default. Here it shares its core with PostgreSQL, so this is turned off, in favour of
 * ejabberd.
 */
const NO_BUSY_WAIT = ['+sbwt', 'none', '+sbwtdcpu', 'none', '+sbwtdio', 'none'];

export async function startEjabberd(database: DatabaseServer, options: PeerOptions = {}): Promise<Peer> {
  await database.client.query(readFileSync(EJABBERD_TABLES, 'utf8'));
  const port = await freePort();
  return startPeer(port, options, (folder) => {
    const file = path.join(folder, 'ejabberd.yml');
    writeFileSync(file, configuration(port, new URL(database.url)));
    // Without a name, the node has no cookie and no port for other nodes.
    const spool = ['-mnesia', 'dir', `"${folder}/spool"`];
    return {
      words: ['erl', '-noinput', '+K', 'true', '+P', '250000', ...NO_BUSY_WAIT, ...spool, '-s', 'ejabberd'],
      env: {
        HOME: folder,
        ERL_LIBS: '/usr/lib/x86_64-linux-gnu',
        ERL_CRASH_DUMP: `${folder}/crash.dump`,
        EJABBERD_CONFIG_PATH: file,
        EJABBERD_LOG_PATH: `${folder}/log`,
      },
    };
  });
}

const configuration = (port: number, database: URL): string => `
hosts: [${DOMAIN}]
loglevel: warning
listen:
  - port: ${port}
    ip: 127.0.0.1
    module: ejabberd_c2s
    shaper: none
default_db: sql
auth_method: sql
sql_type: pgsql
sql_server: ${database.hostname}
sql_port: ${database.port}
sql_database: ${database.pathname.slice(1)}
sql_username: ${database.username}
sql_password: ${database.password}
registration_timeout: infinity
modules:
${MODULES.map((name) => `  ${name}: {}`).join('\n')}
  mod_register: {}
  mod_mam:
    default: always
`;

// Starts Prosody of Debian: storage in files, an archive of all messages for everybody, no TLS, no limits.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../scripts/test-postgres.ts';
import { type Peer, type PeerOptions, startPeer } from './peer.ts';
import { DOMAIN } from './xmpp.ts';

/** The modules that Debian's configuration enables, as far as they have to do with messages between two people. */
const MODULES = [
  'disco',
  'roster',
  'saslauth',
  'blocklist',
  'carbons',
  'pep',
  'private',
  'smacks',
  'vcard4',
  'vcard_legacy',
  'csi_simple',
  'mam',
  'register',
];

export const startProsody = async (options: PeerOptions = {}): Promise<Peer> => {
  const port = await freePort();
  return startPeer(port, options, (folder) => {
    const file = path.join(folder, 'prosody.cfg.lua');
    mkdirSync(path.join(folder, 'data'));
    writeFileSync(file, configuration(folder, port));
    return { words: ['prosody', '--config', file, '-F'] };
  });
};

const configuration = (folder: string, port: number): string => `
run_as_root = true
pidfile = "${folder}/prosody.pid"
data_path = "${folder}/data"
log = { warn = "${folder}/log" }
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
c2s_direct_tls_ports = { }
modules_enabled = { ${MODULES.map((name) => `"${name}"`).join(', ')} }
modules_disabled = { "s2s", "tls" }
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
allow_registration = true
-- A hash would cost time at each login, and none for a message.
authentication = "internal_plain"
storage = "internal"
default_archive_policy = true
archive_expires_after = "never"
-- Without this, an archive is cut once it has 10,000 messages.
storage_archive_item_limit = 1000000000
VirtualHost "${DOMAIN}"
`;

// All settings of a server.
import { registrationModes } from '@sealpost/contract/registration-names';
import { logLevels } from '../../platform/kernel/logger.ts';
import { requestLogModes } from '../../platform/observability/request-log.ts';
import { limitSettings } from './limits.ts';
import { type Setting, setting } from './setting.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** The default build token. Every client knows this token, so a first client needs no settings. */
export const PUBLIC_BUILD_TOKEN = 'sealpost-dev';

/**
 * All settings. A setting such as `data-dir` can be the flag `--data-dir`, the variable `SEALPOST_DATA_DIR`, or a key
 * in the config file.
 */
export const settings: readonly Setting[] = [
  setting('host', '127.0.0.1', 'address to listen on'),
  setting('port', '8787', 'port to listen on; 0 takes any free one'),
  setting(
    'processes',
    '1',
    'processes that serve together at this port, for the cores of one machine; more than one need PostgreSQL',
  ),
  setting('data-dir', './data', 'folder of the embedded database, objects and secrets'),
  setting('database-url', '', 'sqlite:<file> or postgres://…; a file in the data folder if empty'),
  setting('bus-url', '', 'nats://… when several servers share a database'),
  setting(
    'objects-url',
    '',
    'file:<folder> or s3://<bucket>/<prefix> of media objects; a folder in the data folder if empty',
  ),
  setting('s3-endpoint', '', 'address of an S3 server of your own, for example https://s3.example.org'),
  setting('s3-region', 'us-east-1', 'region of the bucket'),
  setting('s3-access-key', '', 'key for S3; found in the environment or by the role of the machine if empty'),
  setting('s3-secret-key', '', 'secret of that key', { secret: true }),
  setting('s3-path-style', 'auto', 'host/bucket instead of bucket.host; auto: with an s3-endpoint', {
    values: ['auto', 'true', 'false'],
  }),
  setting('s3-link-seconds', '0', 'seconds for which a download is redirected to S3; 0 sends it through this server'),
  setting('s3-link-endpoint', '', 's3-endpoint as clients reach it, if that is another address'),
  setting('object-bytes', String(2 * GIB), 'bytes that one media object may have'),
  setting('quota-bytes', String(20 * GIB), 'bytes of media that one account may keep'),
  setting('quota-objects', '100000', 'media objects that one account may keep'),
  setting('message-days', '0', 'days that messages are kept, with their media; 0 keeps them for ever'),
  setting('media-days', '0', 'days that media of messages are kept; 0 keeps them as long as their messages'),
  setting(
    'quarantine-days',
    '7',
    'days that stored media which nothing names wait in quarantine before they are removed',
  ),
  setting('sweep-percent', '10', 'share of stored media that may go to quarantine at once; more stops the sweep'),
  setting('transfer-rate', '1024', 'bytes per second below which an upload or download is cut'),
  setting('public-url', '', 'address that clients use, for example https://chat.example.org'),
  setting(
    'trusted-proxies',
    '',
    'addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas',
  ),
  setting('admin-token', '', 'token of the admin API; made in the data folder if empty', { secret: true }),
  setting('signature', 'strict', 'how X-Hmac is checked', { values: ['strict', 'lenient', 'off'] }),
  setting('build-tokens', PUBLIC_BUILD_TOKEN, 'build tokens that clients may sign with, separated by commas', {
    secret: true,
  }),
  setting('web-pages', '', 'folder of web pages of your own at /; the web client if empty; none shows no pages'),
  setting('web-build-token', '', 'build token that the web pages sign with; made at the first start if empty', {
    secret: true,
  }),
  setting('admin-pages', 'true', 'serves the administration pages at /admin', { values: ['true', 'false'] }),
  setting('header-brand', 'Svc', 'brand in header names: X-<brand>-Access'),
  setting('registration', 'invite', 'who may open accounts: holders of an invite, anybody, or only the operator', {
    values: registrationModes,
  }),
  setting('login-confirmation', { serve: 'new-device', dev: 'never' }, 'whether a new device needs a confirmation', {
    values: ['new-device', 'never'],
  }),
  setting('metrics-address', '', 'address of /metrics alone, for example 127.0.0.1:9464; that of the server if empty'),
  setting(
    'metrics-access',
    'auto',
    'who may read /metrics: whoever has the admin token, or everybody who reaches it; auto: open at a metrics-address and in dev',
    { values: ['auto', 'token', 'open'] },
  ),
  setting(
    'traces-url',
    '',
    'address of a collector of OpenTelemetry, for example http://127.0.0.1:4318; no traces if empty',
  ),
  setting(
    'traces-ratio',
    '1',
    'share of the traces that are sent, from 0 to 1; a caller that has a trace decides itself',
  ),
  setting('ready-file', '', 'file that is written when the server accepts requests'),
  setting(
    'drain-seconds',
    '0',
    'seconds that a server goes on after the order to stop: /readyz says so, and its streams end one after another',
  ),
  setting('forbidden-words', '', 'words that no text on a sticker may contain, separated by commas'),
  setting(
    'allowed-origins',
    '',
    'origins of web pages that may call, separated by commas; a * stands for one whole label, * alone for any page without cookies',
  ),
  setting('log-level', { serve: 'info', dev: 'warn' }, 'how much is logged', { values: logLevels }),
  setting('request-log', 'off', 'which calls get a line in the log, without names and content', {
    values: requestLogModes,
  }),
  setting(
    'allow-plain-http',
    'false',
    'listens on a public address without https in front, or reaches S3 without https',
    {
      values: ['true', 'false'],
    },
  ),
  setting(
    'database-check',
    'auto',
    'whether a start reads the SQLite database for damage; auto: if it has 2 GiB at most',
    { values: ['auto', 'always', 'never'] },
  ),
  setting('least-free-bytes', String(64 * MIB), 'free bytes of a disk below which /readyz answers 503; 0 never does'),
  setting('allow-unsafe-database', 'false', 'accepts a PostgreSQL that may lose commits', {
    values: ['true', 'false'],
  }),
  setting(
    'outbound-hosts',
    '',
    'hosts that this server may call, such as push services, separated by commas; *.example.org for all below; any public host if empty',
  ),
  setting(
    'outbound-networks',
    '',
    'addresses and networks that are not public and may be called nevertheless, also without https, separated by commas',
  ),
  setting('push-key', '', 'private key of Web Push, 32 bytes in base64url; made in the database if empty', {
    secret: true,
  }),
  setting('push-contact', '', 'mailto: or https: address for push services; the public-url if empty'),
  setting('connections-per-address', '10000', 'connections that one address may have open'),
  ...limitSettings,
];

// Changes of the stored state that only a test server makes.
import { sql } from '@sealpost/server/workbench';

export const expireTokens = sql('update access_token set expires_time = ? where account_id = ? and expires_time > ?');

// Audits the server's key log as an outsider. What an audit proves is in docs/key-log.md.
import { loaded } from '../deferred.ts';
import type { AuditedKeyLog, KeyLogService } from './audit.ts';

/**
 * Reads the entries after `known`, and returns what to remember for the next audit. Needs no login.
 * @throws KeyLogError for a log that must not be trusted
 */
export async function auditKeyLog(service: KeyLogService, known?: AuditedKeyLog): Promise<AuditedKeyLog> {
  const { audit } = await loaded(import('./audit.ts'));
  return audit(service, known);
}

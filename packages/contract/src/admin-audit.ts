// The audit log of the admin API: what administrators and programs did.
import Type, { type Static } from 'typebox';
import { Time } from './admin-schemas.ts';
import { optional } from './schema.ts';

/** The names of all actions that servers record. */
export const auditActions = [
  'account.create',
  'account.delete',
  'account.disable',
  'account.enable',
  'account.export',
  'account.reset-password',
  'administrator.add-second-factor',
  'administrator.change-password',
  'administrator.create',
  'administrator.end-session',
  'administrator.invite',
  'administrator.log-in',
  'administrator.log-out',
  'administrator.remove',
  'administrator.remove-second-factor',
  'administrator.renew-recovery-codes',
  'certificate.revoke',
  'certificate.revoke-all',
  'invite.create',
  'invite.revoke',
  'login.approve',
  'login.deny',
  'notice.publish',
  'notice.withdraw',
  'product.grant',
  'product.import',
  'product.revoke',
  'report.assign',
  'report.resolve',
  'retention.run',
  'session.revoke',
  'session.revoke-all',
  'token.create',
  'token.revoke',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The account that an entry of the audit log is about, with its name of today. A deleted account has none. */
export const AuditAccount = Type.Object(
  { mid: Type.String(), userid: optional(Type.String()), displayName: Type.String() },
  { title: 'AuditAccount' },
);

/** A record of an action of the operator. */
export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    time: Time,
    actor: Type.String({ description: '`administrator:<name>`, `token:<name>`, or `admin-token`' }),
    action: Type.String({ description: auditActions.join(', ') }),
    subject: Type.String({ description: 'the mid, id or name of what was changed' }),
    account: optional(AuditAccount),
    detail: Type.Unknown({ description: 'further details of the action, as JSON' }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

// The names of the actions in the audit log.
import { useLingui } from '@lingui/react/macro';
import type { AuditAction } from '@sealpost/sdk/admin';

export function useActionNames(): Readonly<Record<AuditAction, string>> {
  const { t } = useLingui();
  return {
    'account.create': t`Account created`,
    'account.delete': t`Account deleted`,
    'account.disable': t`Account disabled`,
    'account.enable': t`Account enabled`,
    'account.export': t`Account exported`,
    'account.reset-password': t`Password of an account reset`,
    'administrator.add-second-factor': t`Second factor added`,
    'administrator.change-password': t`Own password changed`,
    'administrator.create': t`Administrator set up`,
    'administrator.end-session': t`Session of an administrator ended`,
    'administrator.invite': t`Administrator invited`,
    'administrator.log-in': t`Administrator logged in`,
    'administrator.log-out': t`Administrator logged out`,
    'administrator.remove': t`Administrator removed`,
    'administrator.remove-second-factor': t`Second factor removed`,
    'administrator.renew-recovery-codes': t`New recovery codes made`,
    'certificate.revoke': t`Trusted device removed`,
    'certificate.revoke-all': t`All trusted devices removed`,
    'invite.create': t`Invite made`,
    'invite.revoke': t`Invite revoked`,
    'login.approve': t`Login of a device allowed`,
    'login.deny': t`Login of a device refused`,
    'notice.publish': t`Notice published`,
    'notice.withdraw': t`Notice withdrawn`,
    'product.grant': t`Pack given`,
    'product.import': t`Pack added`,
    'product.revoke': t`Pack taken back`,
    'report.assign': t`Report assigned`,
    'report.resolve': t`Report resolved`,
    'retention.run': t`Removal of old data ordered`,
    'session.revoke': t`Session of an account ended`,
    'session.revoke-all': t`All sessions of an account ended`,
    'token.create': t`Token made`,
    'token.revoke': t`Token revoked`,
  };
}

/** Returns the function that names an action. A server that is newer than the page may have an action without a name. */
export function useActionName(): (action: string) => string {
  const names: Readonly<Record<string, string>> = useActionNames();
  return (action) => (Object.hasOwn(names, action) ? (names[action] ?? action) : action);
}

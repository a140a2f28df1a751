// The names of the scopes of tokens, and descriptions of what each scope allows.
import { useLingui } from '@lingui/react/macro';
import type { TokenScope } from '@sealpost/sdk/admin';

interface ScopeName {
  readonly name: string;
  readonly hint: string;
}

export function useScopeNames(): Readonly<Record<TokenScope, ScopeName>> {
  const { t } = useLingui();
  return {
    read: { name: t`read`, hint: t`Lists and shows accounts, sessions, notices, packs and the audit log.` },
    accounts: { name: t`accounts`, hint: t`Creates, disables and deletes accounts, and resets passwords.` },
    moderation: { name: t`moderation`, hint: t`Deals with reports, publishes notices, adds and gives packs.` },
  };
}

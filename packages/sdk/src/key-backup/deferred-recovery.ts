// The backup of keys, whose code is loaded at the first use: most programs never need it.
import type { Recovery, RecoveryAccount } from './recovery.ts';

export function deferredRecovery(account: () => RecoveryAccount): Recovery {
  const loaded = async (): Promise<Recovery> => (await import('./recovery.ts')).createRecovery(account);
  return {
    status: async () => (await loaded()).status(),
    backup: async (...args) => (await loaded()).backup(...args),
    restore: async (...args) => (await loaded()).restore(...args),
  };
}

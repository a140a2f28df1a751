import type { CredentialRow } from './queries.ts';

/** The facts that a login checks. */
export interface Credential {
  readonly id: number;
  readonly mid: string;
  readonly passwordHash: string;
  readonly disabled: boolean;
  readonly createdTime: number;
}

export function toCredential(row: CredentialRow | undefined): Credential | undefined {
  if (!row) return undefined;
  const { id, mid, password_hash: passwordHash, created_time: createdTime } = row;
  return { id, mid, passwordHash, disabled: row.disabled === 1, createdTime };
}

// A fault that `verify` has found.

export interface Finding {
  /** The rule that is broken. */
  readonly check: string;
  /** The table and row, or the object. */
  readonly where: string;
  readonly problem: string;
  /** The advice to the operator. */
  readonly advice: string;
}

/** Maximum number of findings that are listed for one rule. Further findings are only counted. */
export const TOLD = 10;

const RESTORE = 'restore the newest backup into an empty folder (`sealpost restore`), and compare';
export const advice = {
  restore: `Stop the server, keep a copy of the data, ${RESTORE}.`,
  row: `The row was lost or changed outside of the server. If a backup has it, ${RESTORE}.`,
  log: 'Clients of this account miss changes. Restoring any backup makes every client read everything again.',
  session: 'Log this account out (`sealpost account disable` and `enable`): it logs in again.',
  keyLog: 'Clients will raise an alarm about the key log. Restore the newest backup whose `verify` finds nothing.',
  object:
    'Copy the object from a backup: `objects/published/<kk>/<key>` of a folder, `objects/published/<key>` of a bucket.',
} as const;

// updateSettingsAttributes2: stores those fields of the struct that the attribute numbers select.
import {
  ApiError,
  ageCheckResults,
  personalInfoSharing,
  profileHistory,
  type Settings,
  type SettingsFieldName,
  type SettingsUpdate,
  settingsAttributes,
  settingsFields,
  statusMessageHistory,
} from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { settingsOfAccount, storeSettings } from './queries.ts';
import { COLUMNS, READ_ONLY, settingsFrom } from './settings-defaults.ts';

const NUMBERS: ReadonlySet<number> = new Set(Object.values(settingsAttributes));
const fieldOfAttribute: ReadonlyMap<number, SettingsFieldName> = new Map(
  Object.entries(settingsFields).map(([name, field]) => [
    settingsAttributes[field.attribute],
    name as SettingsFieldName,
  ]),
);

/** Values that are allowed for fields with enumerated numbers. */
const ENUMS: Partial<Record<SettingsFieldName, readonly number[]>> = {
  privacyAgeResult: Object.values(ageCheckResults),
  privacySharePersonalInfoToFriends: Object.values(personalInfoSharing),
  privacyStatusMessageHistory: Object.values(statusMessageHistory),
  privacyAllowProfileHistory: Object.values(profileHistory),
};
const MAP_ENTRIES = 32;

/** Returns the fields that attribute numbers select. Known attributes without a field select nothing. */
export function fieldsOf(attributes: readonly number[]): SettingsFieldName[] {
  return [...new Set(attributes)].flatMap((attribute) => {
    if (!NUMBERS.has(attribute)) throw new ApiError('ILLEGAL_ARGUMENT', `unknown settings attribute ${attribute}`);
    return fieldOfAttribute.get(attribute) ?? [];
  });
}

export interface UpdateSettingsDeps {
  readonly log: OperationLog;
  /** Called after an account turned Letter Sealing on or off. */
  readonly sealingChanged: (tx: Tx, accountId: number) => Promise<void>;
}

export async function updateSettings(
  tx: Tx,
  { log, sealingChanged }: UpdateSettingsDeps,
  call: UserCall,
  reqSeq: number,
  attributes: readonly number[],
  update: SettingsUpdate,
): Promise<void> {
  const names = fieldsOf(attributes);
  for (const name of names) requireSettable(name, update[name]);
  const { accountId } = call.caller;
  // While the account's log is locked, no other change can come between reading and writing the settings.
  const heads = await log.lock(tx, [accountId]);
  const row = await tx.one(settingsOfAccount, accountId);
  if (!row) return;

  const columns = { ...row };
  const changed = JSON.parse(row.changed) as Record<string, unknown>;
  for (const name of names) {
    if (isColumn(name)) columns[COLUMNS[name]] = update[name] ? 0 : 1;
    else changed[name] = stored(name, update[name]);
  }
  await storeSettings(tx, accountId, { ...columns, changed: JSON.stringify(changed) });
  if (names.includes('e2eeEnable')) await sealingChanged(tx, accountId);
  await log.append(
    tx,
    names.map((name) => ({
      accountId,
      to: 'self' as const,
      type: 'UPDATE_SETTINGS' as const,
      reqSeq,
      params: {
        attribute: settingsAttributes[settingsFields[name].attribute],
        value: typeof update[name] === 'boolean' ? update[name] : undefined,
      },
    })),
    heads,
  );
}

/** Returns the selected fields of an account's settings. */
export async function selectedSettings(row: Parameters<typeof settingsFrom>[0], attributes: readonly number[]) {
  const all = settingsFrom(row);
  return Object.fromEntries(
    fieldsOf(attributes).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  ) as Settings;
}

const isColumn = (name: SettingsFieldName): name is keyof typeof COLUMNS => name in COLUMNS;

function requireSettable(name: SettingsFieldName, value: unknown): void {
  if (READ_ONLY.has(name))
    throw new ApiError('FEATURE_RESTRICTED', `settings.${name} follows the account and is not set`);
  if (value === undefined) throw new ApiError('ILLEGAL_ARGUMENT', `settings.${name} is selected and has no value`);
  if (ENUMS[name]?.includes(value as number) === false) {
    throw new ApiError(
      'ILLEGAL_ARGUMENT',
      `settings.${name} is ${String(value)}, not one of ${ENUMS[name].join(', ')}`,
    );
  }
  if (settingsFields[name].kind === 'map' && Object.keys(value as object).length > MAP_ENTRIES) {
    throw new ApiError('INVALID_LENGTH', `settings.${name} has more than ${MAP_ENTRIES} entries`);
  }
}

/**
 * Returns a value in its stored form. Times become text, because clients may send them as text or number. Other values
 * are stored as sent.
 */
const stored = (name: SettingsFieldName, value: unknown): unknown =>
  settingsFields[name].kind === 'time' ? String(value) : value;

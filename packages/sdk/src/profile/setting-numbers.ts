// The numbers of settings, from the contract's table. The table is loaded at the first use.
import { type SettingsFieldName, settingsAttributes, settingsFields } from '@sealpost/contract';

export const fieldNames = Object.keys(settingsFields) as SettingsFieldName[];
export const attributeOf = (name: SettingsFieldName): number => settingsAttributes[settingsFields[name].attribute];

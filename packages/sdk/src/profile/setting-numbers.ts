// The numbers of settings, from the contract's table. Other modules import this one only when a setting is changed or
// read, because the table is large.
import { type SettingsFieldName, settingsAttributes, settingsFields } from '@sealpost/contract';

export const fieldNames = Object.keys(settingsFields) as SettingsFieldName[];
export const attributeOf = (name: SettingsFieldName): number => settingsAttributes[settingsFields[name].attribute];

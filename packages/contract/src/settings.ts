// The Settings struct, derived from the table of its fields (specification: Settings).
import Type, { type Static, type TOptional, type TSchema } from 'typebox';
import { Bool, I32, I64, I64Text, Text } from './schema.ts';
import { type SettingsFieldName, type SettingsKind, settingsFields } from './settings-fields.ts';

const scalar = Type.Union([Type.String({ maxLength: 1000 }), Type.Boolean()]);
const maps = Type.Record(Type.String(), scalar);

const answered = {
  flag: Bool,
  time: I64Text,
  text: Type.String(),
  number: I32,
  map: maps,
  flagOrTime: Type.Union([Bool, Type.Integer(), I64Text]),
} as const satisfies Record<SettingsKind, TSchema>;
const sent = {
  flag: Bool,
  time: I64,
  text: Text(1000),
  number: I32,
  map: maps,
  flagOrTime: Type.Union([Bool, I64]),
} as const satisfies Record<SettingsKind, TSchema>;

type Fields = typeof settingsFields;
type Properties<T extends Record<SettingsKind, TSchema>> = {
  [N in SettingsFieldName]: TOptional<T[Fields[N]['kind']]>;
};

/**
 * Returns the schemas of all fields, each optional. An answer may have only some of the fields, and an update has only
 * the changed ones.
 */
function properties<T extends Record<SettingsKind, TSchema>>(schemas: T): Properties<T> {
  const entries = Object.entries(settingsFields).map(([name, { kind }]) => [name, Type.Optional(schemas[kind])]);
  return Object.fromEntries(entries) as Properties<T>;
}

export const Settings = Type.Object(properties(answered), { title: 'Settings' });
export type Settings = Static<typeof Settings>;

/** Settings as a client sends them. In contrast to answers, 64-bit values may be numbers. */
export const SettingsUpdate = Type.Object(properties(sent), { title: 'SettingsUpdate' });
export type SettingsUpdate = Static<typeof SettingsUpdate>;

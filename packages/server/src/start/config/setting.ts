// The definition of a setting: its name, its default value and its purpose.

export type Mode = 'serve' | 'dev';

export interface Setting {
  readonly name: string;
  readonly doc: string;
  readonly fallback: string | Readonly<Record<Mode, string>>;
  readonly secret?: true;
  /** Allowed values; absent if every value is allowed. */
  readonly values?: readonly string[];
}

export const setting = (
  name: string,
  fallback: Setting['fallback'],
  doc: string,
  more: Partial<Setting> = {},
): Setting => ({
  name,
  fallback,
  doc,
  ...more,
});

import {
  profileAttributes,
  type SettingsFieldName,
  type SettingsUpdate,
  settingsAttributes,
  settingsFields,
} from '@sealpost/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { namesOf, nameTyped } from '../../enum-names.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { givenPicture } from '../../media/picture-file.ts';
import { createOutput } from '../../output.ts';
import { fieldTable } from '../../table.ts';
import { addIdentifierCommands } from '../own-account/identifiers.ts';

const INTEGER = /^\d+$/;

/**
 * The attributes whose value is a text. PICTURE is left out because it needs an upload, and ALL because it means all
 * attributes.
 */
const { ALL: _all, PICTURE: _picture, ...textAttributes } = profileAttributes;
/** Shorter names of attributes. */
const shortNames: Readonly<Record<string, keyof typeof textAttributes>> = {
  name: 'DISPLAY_NAME',
  status: 'STATUS_MESSAGE',
};
const FIELD_IS = 'name of the setting, as "settings list" prints it';
const attributeNames = [...Object.keys(shortNames), ...namesOf(textAttributes)];

export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('show or change your profile');
  withConnectionOptions(profile.command('show', { isDefault: true }))
    .description('show the profile; also without `show`')
    .action(showProfile);
  withConnectionOptions(profile.command('set'))
    .description('change one attribute')
    .argument('<attribute>', attributeNames.join(', '), attributeNumber)
    .argument('<value>')
    .action(setProfile);

  withConnectionOptions(profile.command('picture'))
    .description('set your picture, without what a camera wrote into it')
    .argument('[file]', 'a picture')
    .option('--remove', 'remove the picture')
    .action(setPicture);

  addIdentifierCommands(profile);

  const settings = program.command('settings').description('show or change settings');
  withConnectionOptions(settings.command('list', { isDefault: true }))
    .alias('show')
    .description('list all settings; also without `list`')
    .action(listSettings);
  withConnectionOptions(settings.command('get'))
    .description('show some settings')
    .argument('<fields...>', FIELD_IS, (text: string, before: readonly SettingsFieldName[] = []) => [
      ...before,
      fieldName(text),
    ])
    .action(getSettings);
  withConnectionOptions(settings.command('set'))
    .description('change one setting')
    .argument('<field>', FIELD_IS, fieldName)
    .argument('<value>', 'true or false for flags, else a number or text')
    .action(setSetting);
}

async function showProfile(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const profile = await client.TalkService.getProfile();
    createOutput(options).print(fieldTable(profile), profile);
  });
}

async function setProfile(attribute: number, value: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const profileAttributes = { [String(attribute)]: { value } };
    await client.TalkService.updateProfileAttributes(client.nextReqSeq(), { profileAttributes });
    const profile = await client.TalkService.getProfile();
    createOutput(options).print(fieldTable(profile), profile);
  });
}

async function setPicture(path: string | undefined, options: ConnectionOptions & { remove?: boolean }): Promise<void> {
  const picture = await givenPicture(path, options);
  await asUser(options, async ({ profile }) => {
    const picturePath = picture ? await profile.setPicture(picture) : '';
    if (!picture) await profile.removePicture();
    createOutput(options).print(picture ? 'Set the picture.' : 'Removed the picture.', { picturePath });
  });
}

async function listSettings(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const settings = await client.TalkService.getSettings();
    createOutput(options).print(fieldTable(settings), settings);
  });
}

async function getSettings(fields: readonly SettingsFieldName[], options: ConnectionOptions): Promise<void> {
  const attributes = fields.map(attributeOf);
  await asUser(options, async ({ client }) => {
    const settings = await client.TalkService.getSettingsAttributes2(attributes);
    createOutput(options).print(fieldTable(settings), settings);
  });
}

const attributeOf = (field: SettingsFieldName): number => settingsAttributes[settingsFields[field].attribute];

async function setSetting(field: SettingsFieldName, text: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const attribute = attributeOf(field);
    const update: SettingsUpdate = { [field]: settingValue(field, text) };
    await client.TalkService.updateSettingsAttributes2(client.nextReqSeq(), [attribute], update);
    const settings = await client.TalkService.getSettingsAttributes2([attribute]);
    createOutput(options).print(fieldTable(settings), settings);
  });
}

function attributeNumber(text: string): number {
  const name = shortNames[text] ?? nameTyped(textAttributes, text);
  if (name === undefined) throw new InvalidArgumentError(`It must be one of ${attributeNames.join(', ')}.`);
  return textAttributes[name];
}

function fieldName(text: string): SettingsFieldName {
  if (Object.hasOwn(settingsFields, text)) return text as SettingsFieldName;
  throw new InvalidArgumentError('No such setting; "sealpost settings" lists them.');
}

/** Converts the text that the user typed into the value of a setting. The type of the value depends on the setting. */
function settingValue(field: SettingsFieldName, text: string): unknown {
  const { kind } = settingsFields[field];
  if (kind === 'text') return text;
  if (kind === 'map') return mapOf(field, text);
  if (kind === 'flag' || (kind === 'flagOrTime' && !INTEGER.test(text))) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new CliError(`${field} is true or false, not "${text}".`, exitCodes.usage);
  }
  if (!INTEGER.test(text)) throw new CliError(`${field} is a whole number, not "${text}".`, exitCodes.usage);
  return kind === 'number' ? Number(text) : text;
}

function mapOf(field: SettingsFieldName, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${field} is a JSON object, not "${text}".`, exitCodes.usage);
  }
}

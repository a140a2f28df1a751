import {
  profileAttributes,
  type SettingsFieldName,
  type SettingsUpdate,
  settingsAttributes,
  settingsFields,
} from '@sealpost/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { createOutput, oneLine, table } from '../../output.ts';

const INTEGER = /^\d+$/;

/** The numbers of the profile's attributes, by the names that users type. */
const attributes: Readonly<Record<string, number>> = {
  name: profileAttributes.DISPLAY_NAME,
  'phonetic-name': profileAttributes.PHONETIC_NAME,
  status: profileAttributes.STATUS_MESSAGE,
  email: profileAttributes.EMAIL,
};

export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('show or change your profile');
  withConnectionOptions(profile.command('show', { isDefault: true }))
    .description('show the profile')
    .action(showProfile);
  withConnectionOptions(profile.command('set'))
    .description('change one attribute')
    .argument('<attribute>', Object.keys(attributes).join(', '), attributeNumber)
    .argument('<value>')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sealpost profile set name "Alice"\n  $ sealpost profile set status "on holiday"',
    )
    .action(setProfile);

  const settings = program.command('settings').description('show or change settings');
  withConnectionOptions(settings.command('show', { isDefault: true }))
    .description('show all settings')
    .action(showSettings);
  withConnectionOptions(settings.command('set'))
    .description('change one setting')
    .argument('<field>', 'name of the setting, as "settings show" prints it', fieldName)
    .argument('<value>', 'true or false for flags, else a number or text')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sealpost settings set privacySearchByUserid false\n  $ sealpost settings set e2eeEnable true',
    )
    .action(setSetting);
}

async function showProfile(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const profile = await client.TalkService.getProfile();
    createOutput(options).print(fieldsOf(profile), profile);
  });
}

async function setProfile(attribute: number, value: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const profileAttributes = { [String(attribute)]: { value } };
    await client.TalkService.updateProfileAttributes(client.nextReqSeq(), { profileAttributes });
    const profile = await client.TalkService.getProfile();
    createOutput(options).print(fieldsOf(profile), profile);
  });
}

async function showSettings(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const settings = await client.TalkService.getSettings();
    createOutput(options).print(fieldsOf(settings), settings);
  });
}

async function setSetting(field: SettingsFieldName, text: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const attribute = settingsAttributes[settingsFields[field].attribute];
    const update: SettingsUpdate = { [field]: settingValue(field, text) };
    await client.TalkService.updateSettingsAttributes2(client.nextReqSeq(), [attribute], update);
    const settings = await client.TalkService.getSettingsAttributes2([attribute]);
    createOutput(options).print(fieldsOf(settings), settings);
  });
}

const fieldsOf = (record: object): string =>
  table(
    ['FIELD', 'VALUE'],
    Object.entries(record).map(([name, value]) => [
      name,
      oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]),
  );

function attributeNumber(text: string): number {
  const number = attributes[text];
  if (number === undefined) throw new InvalidArgumentError(`It must be one of ${Object.keys(attributes).join(', ')}.`);
  return number;
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

// `sealpost verify-contact`: two people compare a number. If both see the same number, no server has put its own keys
// between them.
import type { ContactTrust } from '@sealpost/sdk';
import type { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { dayOf } from '../../key-news.ts';
import { createOutput } from '../../output.ts';
import { People, resolveRecipient } from '../../people.ts';

interface VerifyOptions extends ConnectionOptions {
  readonly code?: string;
  readonly forget?: boolean;
}

export function addVerifyContactCommand(program: Command): void {
  withConnectionOptions(program.command('verify-contact'))
    .description('show the safety number with a contact, and mark the contact as verified')
    .argument('<contact>', 'a mid or a user id')
    .option('--code <code>', 'the digits that you compared, or the text of their QR code: mark if they are right')
    .option('--forget', 'remove the mark')
    .addHelpText(
      'after',
      `
Compare by voice, on paper or in person, not through this server. Nothing is sealed for a verified contact whose key
changed, until the number is compared again or the mark is removed.`,
    )
    .action(verifyContact);
}

async function verifyContact(contact: string, options: VerifyOptions): Promise<void> {
  const output = createOutput(options);
  const { code, forget } = options;
  if (code !== undefined && forget) throw new CliError('Give either --code or --forget.', exitCodes.usage);
  await asUser(options, async ({ client, chats, contacts }) => {
    const mid = await resolveRecipient(contacts, contact);
    const people = new People({ chats, contacts });
    await people.learn([mid]);
    const name = people.nameOf(mid);
    if (forget) {
      await client.trust.unverify(mid);
      output.print(`${name} is no longer marked as verified.`, { mid, state: 'unverified' });
      return;
    }
    if (code === undefined) {
      const found = await client.trust.contact(mid);
      output.print(textOf(found, name, contact), found);
      return;
    }
    const found = await client.trust.verify(mid, code);
    if (!found) {
      requireComplete(code, (await client.trust.contact(mid)).qr);
      throw new CliError(
        `This is not the safety number with ${name}: somebody may be between you two. Ask for it again in another way. If it is still different, write nothing to ${name} that others must not read.`,
      );
    }
    output.print(`${name} is verified.`, found);
  });
}

/**
 * Checks that a code that did not match has the form of one. Part of a number, or one with a typing error in its length,
 * must not look like an attack.
 * @param qr the text of the right QR code
 */
function requireComplete(code: string, qr: string): void {
  const plain = code.replace(/\s/g, '');
  if (/^\d{60}$/.test(plain) || plain.length === qr.length) return;
  const told = /^\d+$/.test(plain) ? `has ${plain.length} digits` : 'is neither';
  throw new CliError(
    `--code takes the 60 digits of the safety number, or the text of the QR code. What you gave ${told}. Nothing was marked.`,
    exitCodes.usage,
  );
}

function textOf(found: ContactTrust, name: string, contact: string): string {
  const groups = found.digits.split(' ');
  const rows = [0, 4, 8].map((at) => `    ${groups.slice(at, at + 4).join(' ')}`);
  return [
    `Safety number with ${name}`,
    '',
    ...rows,
    '',
    renderUnicodeCompact(found.qr),
    '',
    stateOf(found, name),
    ...(found.state === 'verified' ? [] : [howTo(found, name, contact)]),
  ].join('\n');
}

function stateOf({ state, verified, changed }: ContactTrust, name: string): string {
  if (!verified) return 'Not verified.';
  const on = dayOf(verified.time);
  if (state === 'verified') return `Verified on ${on}.`;
  const whose = { contact: `${name} has a new key`, own: 'you have a new key', both: `${name} and you have new keys` };
  return `CHANGED: verified on ${on} with another number; ${whose[changed ?? 'contact']} since.`;
}

const howTo = ({ digits }: ContactTrust, name: string, contact: string): string =>
  `If ${name} sees the same number: sealpost verify-contact ${contact} --code ${digits.replaceAll(' ', '')}\nWith the text of their QR code: sealpost verify-contact ${contact} --code <code>`;

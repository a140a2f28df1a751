// `sealpost doctor message <id>` explains why a message can or cannot be opened. No key leaves this machine.
import type { Sealing } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { findMessage } from '../find-message.ts';
import { createOutput, oneLine } from '../output.ts';

export function addDoctorMessageCommand(doctor: Command): void {
  withConnectionOptions(doctor.command('message'))
    .description('explain, on this machine, why a message can or cannot be opened')
    .argument('<message>', 'message id, as listen --json and history --json print it')
    .action(explain);
}

async function explain(id: string, options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  const closed = await asUser(options, async ({ client, sealing }) => {
    const { message, steps } = await sealing.explain(await findMessage(client, id));
    const found = { id, from: message.from, to: message.to, contentType: message.contentType };
    const lines = [
      `Message ${id} from ${found.from} to ${found.to}, content type ${found.contentType}`,
      ...steps.map(({ step, found: what }) => `ok    ${step}: ${what}`),
      ...verdictOf(message.sealing),
    ];
    output.print(lines.map(oneLine).join('\n'), { ...found, steps, sealing: message.sealing });
    return message.sealing.state === 'unopened';
  });
  if (closed) throw new CliError(`The message ${id} stays closed.`, exitCodes.failure);
}

function verdictOf(sealing: Sealing): string[] {
  switch (sealing.state) {
    case 'plain':
      return ['ok    it was sent in the clear: there is nothing to open'];
    case 'opened':
      return [`ok    it opens, sealed in version ${sealing.version}`];
    case 'unproven':
      return [`WARN  it opens but proves nothing: ${sealing.cause} (${sealing.detail})`, `      ${sealing.remedy}`];
    case 'unopened':
      return [`FAIL  ${sealing.reason}: ${sealing.cause} (${sealing.detail})`, `      fix: ${sealing.remedy}`];
  }
}

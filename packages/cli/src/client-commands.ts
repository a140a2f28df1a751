// All commands except those that are the server itself.
import type { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addChatCommands } from './commands/chats.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addContactCommands } from './commands/contacts.ts';
import { addDevicesCommands } from './commands/devices.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDownloadCommand } from './commands/download.ts';
import { addGroupCommands } from './commands/group.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addListenCommand } from './commands/listen.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMediaCommands } from './commands/media.ts';
import { addNoticeCommands } from './commands/notice.ts';
import { addProfileCommands } from './commands/profile.ts';
import { addReportCommands } from './commands/report.ts';
import { addSendCommand } from './commands/send.ts';
import { addSignCommand } from './commands/sign.ts';
import { addStickersCommands } from './commands/stickers.ts';
import { addVerifyContactCommand } from './commands/verify-contact.ts';

export function addClientCommands(program: Command): void {
  addAccountCommands(program);
  addLoginCommands(program);
  addDevicesCommands(program);
  addSendCommand(program);
  addDownloadCommand(program);
  addListenCommand(program);
  addChatCommands(program);
  addGroupCommands(program);
  addContactCommands(program);
  addVerifyContactCommand(program);
  addKeysCommands(program);
  addProfileCommands(program);
  addStickersCommands(program);
  addMediaCommands(program);
  addNoticeCommands(program);
  addReportCommands(program);
  addSignCommand(program);
  addAuditCommands(program);
  addDoctorCommand(program);
  addConformanceCommand(program);
}

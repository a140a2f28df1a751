// All commands except those that run or manage the server process.
import type { Command } from 'commander';
import { addAccountCommands } from './commands/accounts/account.ts';
import { addGroupCommands } from './commands/chats/group.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addContactCommands } from './commands/contacts/contacts.ts';
import { addDevicesCommands } from './commands/devices/devices.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addKeysCommands } from './commands/key-backup/keys.ts';
import { addAuditCommands } from './commands/key-log/audit.ts';
import { addListenCommand } from './commands/listen.ts';
import { addLoginCommands } from './commands/login/login.ts';
import { addDownloadCommand } from './commands/media/download.ts';
import { addMediaCommands } from './commands/media/media.ts';
import { addChatCommands } from './commands/messaging/chats.ts';
import { addSendCommand } from './commands/messaging/send.ts';
import { addNoticeCommands } from './commands/notices/notice.ts';
import { addProfileCommands } from './commands/profile/profile.ts';
import { addReportCommands } from './commands/reports/report.ts';
import { addVerifyContactCommand } from './commands/sealing/verify-contact.ts';
import { addSignCommand } from './commands/sign.ts';
import { addStickersCommands } from './commands/stickers/stickers.ts';

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

import type { Mutant } from '../scripts/mutants/mutant.ts';

const bots = 'packages/sdk/test/bot.test.ts';

export default [
  {
    name: 'a message with a known cause is queued again',
    file: 'packages/sdk/src/outbox/rows.ts',
    find: '      if (known) {\n        if (file)',
    replace: '      if (known && file) {\n        if (file)',
    tests: [bots],
    pattern: 'its answers go out once',
  },
  {
    name: 'the copy of a file that is not sent again stays',
    file: 'packages/sdk/src/outbox/rows.ts',
    find: '        if (file) forgetFile(tx, file);\n',
    replace: '',
    tests: [bots],
    pattern: 'leaves no copy',
  },
  {
    name: 'a handled event stays in the inbox of a bot',
    file: 'packages/sdk/src/bot/inbox.ts',
    find: '      tx.delete(inbox, id);\n',
    replace: '',
    tests: [bots],
    pattern: 'while the bot is stopped',
  },
  {
    name: 'the keys of answers are never forgotten',
    file: 'packages/sdk/src/bot/inbox.ts',
    find: '      await forgetCauses(tx, keysOf(operation.revision));\n',
    replace: '',
    tests: [bots],
    pattern: 'while the bot is stopped',
  },
  {
    name: 'the answer to a failure has the key of an answer to the event',
    file: 'packages/sdk/src/bot/bot.ts',
    find: "'caught/'",
    replace: "''",
    tests: [bots],
    pattern: 'goes to catch, and the chat goes on',
  },
  {
    name: 'an event that fails is not tried again',
    file: 'packages/sdk/src/bot/worker.ts',
    find: 'if (failed.failures >= tries) break;',
    replace: 'if (failed.failures > 0) break;',
    tests: [bots],
    pattern: 'its answers go out once',
  },
  {
    name: 'a bot that stops forgets the handlers that run',
    file: 'packages/sdk/src/bot/bot.ts',
    find: '  await worker.stop();\n',
    replace: '  void worker.stop();\n',
    tests: [bots],
    pattern: 'stop waits for handlers',
  },
  {
    name: 'the own acts of a bot are its events',
    file: 'packages/sdk/src/bot/event.ts',
    find: "  if (!received || message.contentType === contentTypes.CHATEVENT) return { kind: 'operation', chatMid };\n",
    replace: '',
    tests: [bots],
    pattern: 'a text is answered, sealed',
  },
] satisfies Mutant[];

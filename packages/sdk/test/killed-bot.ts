// A bot as a process of its own, for bot.kills.test.ts. It answers each text once, and kills itself at the step that the
// environment names: before or after a commit of its state, or before or after a request.
import { createBot } from '@sealpost/sdk/bot';
import { folderStore } from '@sealpost/sdk/node';

const { BOT_URL = '', BOT_USERID = '', BOT_PASSWORD = '', BOT_FOLDER = '', BOT_STEPS = '' } = process.env;
let left = BOT_STEPS === '' ? Number.POSITIVE_INFINITY : Number(BOT_STEPS);

function step(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

async function between<T>(work: () => Promise<T>): Promise<T> {
  step();
  const result = await work();
  step();
  return result;
}

const store = folderStore(BOT_FOLDER);
const bot = createBot({
  url: BOT_URL,
  userid: BOT_USERID,
  password: BOT_PASSWORD,
  store: {
    ...store,
    state: {
      ...store.state,
      async open(account) {
        const rows = await store.state.open(account);
        return { ...rows, commit: (writes) => between(() => rows.commit(writes)) };
      },
    },
  },
  fetch: (input, init) => between(() => fetch(input, init)),
  acceptInvitations: true,
});
bot.on('message:text', async (ctx) => {
  await ctx.reply(`first answer to ${ctx.text}`);
  await ctx.reply(`second answer to ${ctx.text}`);
});
process.once('SIGTERM', () => void bot.stop({ limitMs: 60_000 }));
await bot.start();
console.log('started');

// A program that queues numbered messages, for tests that kill it. Each number is the cause of its message, so a number
// that is queued again after a kill is not sent twice.
import { createClient } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';

const [url = '', folder = '', first = '', most = '', ...chats] = process.argv.slice(2);
const client = createClient({ url, store: folderStore(folder) });
await client.open();
let told = Number(first);
const tell = (line: string): void => console.log(line);
for (let number = Number(first); number < Number(most); number++) {
  const chat = chats[number % chats.length] ?? '';
  await client.messaging.queueText(chat, String(number), { cause: `number ${number}` });
  told = number;
  tell(`queued ${number}`);
}
while (client.outbox.all().length > 0) await new Promise((resolve) => client.replica.onChange(resolve));
await client.synced();
tell(`empty ${told}`);
await client.close();

// The messenger in Firefox: what people do there first. All other tests of pages use Chromium. WebKit, the engine of
// Safari, is tried only if the environment names its driver.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Client, createClient, memoryStore } from '@sealpost/sdk';
import { type DrivenBrowser, ENTER } from './driven-browser.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const browsers = [
  { name: 'Firefox', variable: 'SEALPOST_TEST_FIREFOX', start: startFirefox },
  { name: 'WebKit', variable: 'SEALPOST_TEST_WEBKIT', start: startWebKit },
] as const;

for (const { name, variable, start } of browsers) {
  const executable = process.env[variable];
  if (name === 'WebKit' && !executable) continue;
  describe(`the messenger in ${name}`, { skip: executable ? false : `there is no ${name}: set ${variable}` }, () => {
    let server: TestServer;
    let browser: DrivenBrowser;
    let ann: TestUser;
    let ben: Client;
    before(async () => {
      server = await startServer();
      browser = await start(executable as string);
      ann = await server.user('ann');
      const user = await server.user('ben');
      ben = createClient({ url: server.url, store: memoryStore() });
      await ben.login({ identifier: user.userid, password: user.password });
      await ben.sealing.ownKey();
      await ben.contacts.add(ann.mid);
      await ann.client.RelationService.addFriendByMid({ reqSeq: ann.client.nextReqSeq(), userMid: user.mid });
    });
    after(async () => {
      await browser?.close();
      await ben?.close();
      await server?.close();
    });

    const sees = (text: string) =>
      until(async () => {
        const shown = await browser.run('return document.body?.innerText');
        return String(shown).includes(text);
      }, `${name} shows "${text}"`);
    /** Does something with an element as soon as it is there. */
    const at = (selector: string, action: string) =>
      until(
        async () =>
          (await browser.run(`const it = document.querySelector(${JSON.stringify(selector)});
            if (!it || it.disabled) return false;
            ${action};
            return true;`)) === true,
        `${name} has ${selector}`,
      );
    const press = (selector: string) => at(selector, 'it.click()');
    async function write(selector: string, text: string): Promise<void> {
      await at(selector, 'it.focus(); it.select()');
      await browser.type(text);
    }
    const inChat = async () =>
      (await ben.replica.messages(ann.mid)).map(({ text, sealing }) => ({ text, sealed: sealing.state === 'opened' }));

    test('a wrong password is refused, and the first login makes keys', async () => {
      await browser.open(server.url);
      await write('[name=username]', ann.userid);
      await write('[name=password]', 'not it');
      await press('[type=submit]');
      await sees('User id or password is wrong.');
      await write('[name=password]', ann.password);
      await press('[type=submit]');
      await sees('Your messages open only with the keys in this browser.');
      await sees('Welcome');
    });

    test('texts go both ways, sealed', async () => {
      await browser.run(`location.hash = '#/chats/${ben.session?.mid}'`);
      await sees('No messages yet. Say hello to ben.');
      await write('textarea', `hello Ben${ENTER}`);
      await until(async () => (await inChat()).length > 0, 'the text arrives');
      assert.deepEqual(await inChat(), [{ text: 'hello Ben', sealed: true }]);
      const { sealed } = await ben.messaging.sendText(ann.mid, `hello ${name}`);
      assert.equal(sealed, true);
      await sees(`hello ${name}`);
    });

    test('files go both ways', async () => {
      const media = { kind: 'file', name: 'from-ben.txt', bytes: new Blob(['a file']) } as const;
      await ben.messaging.sendFile(ann.mid, media);
      await sees('from-ben.txt');
      await at(
        '[aria-label="Choose files"]',
        `const chosen = new DataTransfer();
        chosen.items.add(new File(['another file'], 'from-ann.txt', { type: 'text/plain' }));
        it.files = chosen.files;
        it.dispatchEvent(new Event('change', { bubbles: true }))`,
      );
      await press('[aria-label="Send"]');
      await until(async () => {
        const [message] = await ben.replica.messages(ann.mid);
        return message?.contentMetadata.FILE_NAME === 'from-ann.txt';
      }, 'the file arrives');
    });

    test('a page that one left and came back to goes on', async () => {
      await browser.open(`${server.url}/icon.svg`);
      await browser.back();
      await sees('from-ann.txt');
      await ben.messaging.sendText(ann.mid, 'are you back?');
      await sees('are you back?');
      await write('textarea', `I am back${ENTER}`);
      await until(async () => (await inChat())[0]?.text === 'I am back', 'the text arrives');
    });

    test('a page that is loaded again is still logged in, and a logout leaves nothing', async () => {
      await browser.reload();
      await sees('I am back');
      await browser.run(`location.hash = '#/settings/account'`);
      await press('[aria-label="Log out"] button');
      // The last button of the dialog confirms the logout.
      await at(
        '[role=dialog] button + button',
        `[...it.closest('[role=dialog]').querySelectorAll('button')].at(-1).click()`,
      );
      await sees('Private messages, sealed from your device to theirs.');
      assert.deepEqual(await browser.run('return (await indexedDB.databases()).map(({ name }) => name)'), []);
    });
  });
}

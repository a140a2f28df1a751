// Settings of one account that the server enforces on other accounts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newDevice, outcomeOf, refusalOf } from '@sealpost/conformance/testing';
import {
  chatTypes,
  contactSettings,
  contactTypes,
  operationStatus,
  operationTypes,
  type SettingsUpdate,
  settingsAttributes,
  updateChatAttributes,
} from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith } from '@sealpost/dev-env/people';

const { PRIVACY_ALLOW_SECONDARY_DEVICE_LOGIN, PRIVACY_ALLOW_FRIEND_REQUEST } = settingsAttributes;

for (const database of databases) {
  describe(`settings that the server enforces on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database, servers: 1 });
    });
    after(() => server.close());

    const set = (user: TestUser, attribute: number, settings: SettingsUpdate) =>
      user.client.TalkService.updateSettingsAttributes2(0, [attribute], settings);

    test('an account that allows no secondary devices lets none in beside the one that it has', async () => {
      const owner = await server.user('owner');
      const device = newDevice(server);
      const logIn = (certificate?: string) =>
        device.login(owner.userid, owner.password, certificate === undefined ? {} : { certificate });
      const { certificate } = (await logIn()).data;
      const pin = await device.showPin(owner.client);
      const waiting = await device.showCode();
      await set(owner, PRIVACY_ALLOW_SECONDARY_DEVICE_LOGIN, { privacyAllowSecondaryDeviceLogin: false });

      assert.equal(outcomeOf(await logIn()), 'NOT_ALLOWED_SECONDARY_DEVICE');
      assert.equal(outcomeOf(await device.login(owner.userid, 'wrong')), 'INVALID_IDENTITY_CREDENTIAL');
      const scan = owner.client.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(waiting) });
      assert.equal(await refusalOf(scan), 'NOT_ALLOWED_SECONDARY_DEVICE');
      await owner.client.PrimaryDeviceService.submitPinCode({ loginId: pin.loginId, pinCode: pin.pinCode });
      await device.checkPin(pin.id);
      assert.equal(outcomeOf(await device.qrLogin(pin.id)), 'QR_NOT_ALLOWED');
      // A device with a certificate may log in again, and the first device may always log in.
      assert.equal(outcomeOf(await logIn(certificate)), 'OK');
      await owner.client.PrimaryDeviceService.revokeOtherSessions();
      await owner.client.logout();
      assert.equal(outcomeOf(await logIn()), 'OK');
      device.close();
    });

    test('an account that takes no friend requests shows so, and can be added in other ways only', async () => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const { TalkService, RelationService } = alice.client;
      assert.equal((await TalkService.getContact(bob.mid)).friendRequestStatus, 0);
      await set(bob, PRIVACY_ALLOW_FRIEND_REQUEST, { privacyAllowFriendRequest: false });
      assert.equal((await TalkService.getContact(bob.mid)).friendRequestStatus, 3);
      await assert.rejects(
        TalkService.findAndAddContactsByMid(0, contactTypes.FRIEND_REQUEST, [bob.mid]),
        failsWith('NOT_ALLOWED_ADD_CONTACT', /friend requests/),
      );
      const tracking = { trackingMeta: { friendRequest: {} } };
      await assert.rejects(
        RelationService.addFriendByMid({ userMid: bob.mid, tracking }),
        failsWith('REJECTED_TARGET_USER'),
      );
      await TalkService.findAndAddContactsByMid(0, contactTypes.MID, [bob.mid]);
      assert.deepEqual(await TalkService.getAllContactIds(), [bob.mid]);
    });

    test('messages of a muted chat or contact say so, at once and when they are read again', async () => {
      const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      const targetUserMids = [bob.mid, carol.mid];
      const request = { reqSeq: 0, type: chatTypes.ROOM, targetUserMids };
      const { chatMid } = (await alice.client.TalkService.createChat(request)).chat;
      await alice.client.sendText(chatMid, 'loud');
      await alice.client.sendText(bob.mid, 'loud');
      const muteChat = (notificationDisabled: boolean) =>
        bob.client.TalkService.updateChat({
          reqSeq: 0,
          chat: { chatMid, notificationDisabled },
          updatedAttribute: updateChatAttributes.NOTIFICATION_SETTING,
        });
      const muteContact = (value: 'true' | 'false') =>
        bob.client.TalkService.updateContactSetting(
          0,
          alice.mid,
          contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE,
          value,
        );
      await bob.client.TalkService.findAndAddContactsByMid(0, 0, [alice.mid]);
      await muteChat(true);
      await muteContact('true');
      const stop = new AbortController();
      const from = await bob.client.TalkService.getLastOpRevision();
      const live = bob.client.operations({ from: String(from), signal: stop.signal });
      const statuses: unknown[] = [];
      const listening = (async () => {
        for await (const event of live) {
          if (event.kind === 'operation' && statuses.push(event.operation.status) === 2) stop.abort();
        }
      })();
      while (server.server.openStreams.size === 0) await new Promise(setImmediate);
      await alice.client.sendText(chatMid, 'silent');
      await alice.client.sendText(bob.mid, 'silent');
      await listening;
      assert.deepEqual(statuses, [operationStatus.ALERT_DISABLED, operationStatus.ALERT_DISABLED]);
      await muteChat(false);
      await muteContact('false');
      await alice.client.sendText(chatMid, 'loud');
      await alice.client.sendText(bob.mid, 'loud');
      const received = async (user: TestUser) =>
        (await user.log())
          .filter(({ type }) => type === operationTypes.RECEIVE_MESSAGE)
          .map(({ message, status }) => `${message?.text} ${status ?? 0}`);
      assert.deepEqual(await received(bob), ['loud 0', 'loud 0', 'silent 1', 'silent 1', 'loud 0', 'loud 0']);
      assert.deepEqual(await received(carol), ['loud 0', 'silent 0', 'loud 0']);
    });

    test('system messages of a muted group say so, to the member that muted it', async () => {
      const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'Tea', targetUserMids: [bob.mid, carol.mid] };
      const { chatMid } = (await alice.client.TalkService.createChat(request)).chat;
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });
      const update = (user: TestUser, updatedAttribute: number, chat: object) =>
        user.client.TalkService.updateChat({ reqSeq: 0, chat: { chatMid, ...chat }, updatedAttribute });
      const mute = (notificationDisabled: boolean) =>
        update(bob, updateChatAttributes.NOTIFICATION_SETTING, { notificationDisabled });
      const received = async (user: TestUser, from: string) =>
        (await user.log(Number(from)))
          .filter(({ type }) => type === operationTypes.RECEIVE_MESSAGE)
          .map(({ message, status }) => `${message?.contentMetadata.LOC_KEY} ${status ?? 0}`);
      const from = await bob.client.TalkService.getLastOpRevision();

      await mute(true);
      await carol.client.TalkService.acceptChatInvitation({ reqSeq: 0, chatMid });
      const fromOfCarol = await carol.client.TalkService.getLastOpRevision();
      await update(alice, updateChatAttributes.NAME, { chatName: 'Coffee' });
      await mute(false);
      await update(alice, updateChatAttributes.NAME, { chatName: 'Cocoa' });
      await mute(true);
      await carol.client.TalkService.deleteSelfFromChat({ reqSeq: 0, chatMid });
      assert.deepEqual(await received(bob, from), ['C_MJ 1', 'C_PN 1', 'C_PN 0', 'C_ML 1']);
      assert.deepEqual(await received(carol, fromOfCarol), ['C_PN 0', 'C_PN 0']);
    });
  });
}

// The settings page for who may find this account, and who may write to it.
import { msg } from '@lingui/core/macro';
import { type AccountSwitch, AccountSwitches } from './account-switches.tsx';

const switches: readonly AccountSwitch[] = [
  {
    name: 'privacySearchByUserid',
    label: msg`Found by user id`,
    hint: msg`Whoever knows your user id can find and add you.`,
  },
  {
    name: 'privacySearchByPhoneNumber',
    label: msg`Found by phone number`,
    hint: msg`Whoever has your phone number can find and add you.`,
  },
  {
    name: 'privacyReceiveMessagesFromNotFriend',
    label: msg`Messages of strangers`,
    hint: msg`If this is off, only your contacts reach you. Others are not told.`,
  },
  {
    name: 'privacyAllowFriendRequest',
    label: msg`Friend requests`,
    hint: msg`If this is off, nobody can add you by a friend request.`,
  },
  {
    name: 'privacyAllowSecondaryDeviceLogin',
    label: msg`Logins on further devices`,
    hint: msg`If this is off, no new device can log in while one is logged in.`,
  },
  {
    name: 'e2eeEnable',
    label: msg`Seal messages`,
    hint: msg`Only you and those you write to can read sealed messages. The server cannot.`,
    turningOff: {
      title: msg`Send messages unsealed?`,
      text: msg`The server, and whoever has access to it, can then read what you and others write in your chats.`,
    },
  },
];

export const PrivacyPage = () => <AccountSwitches switches={switches} />;

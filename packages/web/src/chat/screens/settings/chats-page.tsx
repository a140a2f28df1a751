// The settings page for the behaviour of chats in this browser.
import { useLingui } from '@lingui/react/macro';
import { RadioList } from '../../../design/radio-list.tsx';
import { setPreference, usePreference } from '../../preferences.ts';

export function ChatsPage() {
  const { t } = useLingui();
  return (
    <section>
      <RadioList
        label={t`A chat with unread messages opens`}
        value={usePreference('opens')}
        onChange={(value) => setPreference('opens', value)}
        choices={[
          { value: 'unread', label: t`At the first unread message` },
          { value: 'end', label: t`At the newest message` },
        ]}
      />
      <RadioList
        label={t`The Enter key`}
        value={usePreference('enter')}
        onChange={(value) => setPreference('enter', value)}
        choices={[
          { value: 'send', label: t`Sends the message`, hint: t`Shift and Enter make a new line.` },
          { value: 'line', label: t`Makes a new line`, hint: t`Ctrl and Enter send the message.` },
        ]}
      />
    </section>
  );
}

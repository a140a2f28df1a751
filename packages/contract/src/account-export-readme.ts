// The sentences of README.txt that depend on who made the archive: the owner's client, or the operator.

const BY = {
  account: `This archive has everything that your account could see when it was made, as far as
the device that made it could open it.`,
  administrator: `This archive has what the server keeps of an account. An administrator made it.
The server cannot open sealed messages and media, so they are in it as they are
stored. Only the devices of the account can open them.`,
};

/** Returns the text of README.txt. */
export const accountExportReadme = (by: keyof typeof BY): string => `${BY[by]}

account.json
    The profile, settings, contacts, blocked users, devices, public keys and
    sticker packs of the account, and the list of its chats with their members.
    Each chat names the files with its messages. "counts" tells how much there is.
    This file is written last. If it is missing, the archive is incomplete.

chats/<id of the chat>/<id of the first message>.json
    Messages, the oldest first, with their reactions. Times are milliseconds since
    1970-01-01 UTC. "sealing" tells whether a message was sealed:
      plain      it was not
      opened     it was, and this is its content
      unproven   it opens, but it is not certain that a member of the chat wrote it
      sealed     it could not be opened; "chunks" has it as it was stored, and
                 "cause" and "remedy" tell why and what helps
    "media" names the file of a picture, video, sound or file, or tells why it is
    missing: it expired, was removed, or was never uploaded completely.

media/
    Pictures, videos, sounds and files of messages, named after their messages.
    The names that their senders gave are in the messages.

pictures/
    The picture and the cover of the account's profile.

The archive has no passwords and no secret keys. It has private messages of the
account and of other people, in the clear: keep it where nobody else can read it.

The fields of account.json and of the messages are in docs/account-export.md of
the server's documentation. Every field that has a number for a name of the
protocol, such as "contentType", is explained in its reference.
`;

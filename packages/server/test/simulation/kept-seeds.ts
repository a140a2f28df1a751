// Seeds that once broke a rule, each with what it found in the server, the SDK or the rules themselves.

export const keptSeeds: readonly { readonly seed: number; readonly found: string }[] = [
  { seed: 65, found: 'ids of several gateways rise inside each chat, and a check wanted more' },
  {
    seed: 13,
    found: 'a client that removed the history of a chat forgot how far it had read it, when it wrote again',
  },
  { seed: 73, found: 'the same, when another device of the account wrote again' },
  {
    seed: 11_776,
    found: 'a client cannot unsend a text after its user has left the chat, and a check wanted it after their return',
  },
  {
    seed: 26_381,
    found: 'a text that was taken back while its send waited for new tokens counted as sent twice',
  },
  { seed: 20_864, found: 'taking back a text seemed to succeed, although the text had just left the outbox' },
];

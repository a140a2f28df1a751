/** What must always be true in a simulation. A violation names one of these rules. */
export const rules = {
  acknowledged: 'an acknowledged command is kept, and nothing is acknowledged before its commit',
  expected: 'the server accepts and refuses what the model does',
  model: 'all users see in all reads what the model shows them',
  dense: 'the revisions of a log have no gaps, and a stream brings them in order',
  'one-content': 'one revision of a log has one content',
  committed: 'only committed operations are delivered',
  'within-log': 'nobody sees a revision beyond the end of its log',
  'one-answer': 'a repeated call gets the answer of the first one',
  unsent: 'the text of a message that was taken back is gone',
  'taken-back': 'a text that its user takes back is not sent again, and is unsent if it had arrived',
  sessions: 'a session lives until it is ended, and a refresh token has one successor',
  objects: 'an object is stored whole with its hash, and what no row names is removed',
  'key-log': 'the key log only grows, and has every acknowledged key',
  'group-key': 'a group key is for the members of its time and their keys, and each gets only the own share',
  replica: 'what a client keeps is what the server shows',
  'no-fault': 'nothing fails for which no fault was injected',
  run: 'every command ends, and the system becomes quiet when it has healed',
} as const;

export type Rule = keyof typeof rules;

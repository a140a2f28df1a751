// Finds message stanzas in the bytes of an XMPP stream. It looks only for the tags of messages, because a parser of
// XML would take the time that the bench wants to spend on load.

const BEGIN = '<message';
const END = '</message>';

/**
 * Returns a function that takes the next piece of a stream and calls `found` with each message that is complete. A
 * message must not contain another one, as a carbon copy does.
 */
export function stanzaScanner(found: (message: string) => void): (piece: string) => void {
  let text = '';
  return (piece) => {
    // The end of a message may have begun in an earlier piece.
    let from = Math.max(0, text.length - END.length + 1);
    text += piece;
    for (let end = text.indexOf(END, from); end >= 0; end = text.indexOf(END, from)) {
      const begin = text.indexOf(BEGIN);
      if (begin >= 0 && begin < end) found(text.slice(begin, end + END.length));
      text = text.slice(end + END.length);
      from = 0;
    }
  };
}

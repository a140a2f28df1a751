import type { Draft } from '../messaging/draft.ts';
import type { OutgoingMedia } from './outgoing.ts';
import type { Patience } from './patience.ts';
import type { UploadRecord } from './upload-record.ts';

/** The data that all steps of sending one picture, video, sound or file need. */
export interface Sending {
  readonly to: string;
  readonly media: OutgoingMedia;
  readonly replyTo: string | undefined;
  readonly sealedPreview: boolean;
  /** The id of a message that is older than this one, also if an earlier run has sent this one. */
  readonly after: string | undefined;
  readonly record: UploadRecord;
  readonly patience: Patience;
  /** Called with the number of stored bytes of the object, which may be a little larger than the content. */
  readonly onOffset: (offset: number) => void;
  draft(message: Omit<Draft['message'], 'to' | 'contentType'>): Draft;
}

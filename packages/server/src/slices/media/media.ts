// Object storage: the media of messages, and pictures of profiles, groups and homes.

import { ApiError } from '@sealpost/contract';
import type { Clock, Random, Timers } from '@sealpost/contract/ports';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { CrashPoint } from '../../platform/kernel/ports.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import { success } from '../../platform/rpc/envelope.ts';
import type { HttpCall, HttpHandlers } from '../../platform/rpc/http-requests.ts';
import type { ObjectHandlers } from '../../platform/rpc/object-requests.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import { createAccess, type FindMessage, type IsCover } from './access.ts';
import { type CarrierDeps, type Carriers, createCarriers } from './carriers.ts';
import { type CopyDeps, createCopies, requireCopy } from './copies.ts';
import { type Covers, createCovers } from './covers.ts';
import { createDownloads } from './downloads.ts';
import { createExaminer } from './examiner.ts';
import { kindOf } from './names.ts';
import { createPictures, type Pictures, type SetChatPicture, type SetPicture } from './pictures.ts';
import { createPreviews } from './previews.ts';
import type { Quota } from './quota.ts';
import { type GainContent, type HoldMessages, type LoseContent, removeAccount, removeBytes } from './remove-objects.ts';
import { createReadStored, type ReadStored } from './stored-bytes.ts';
import { createSweep } from './sweep.ts';
import { createUploads } from './uploads.ts';

export interface MediaSettings {
  readonly quota: Quota;
  /** Largest size of one object in bytes. */
  readonly objectBytes: number;
  /** Days that media of messages are kept; 0 keeps them for ever. */
  readonly mediaDays: number;
  /**
   * Days that bytes stay in quarantine before they are removed. Bytes of complete objects go there if no row in the
   * database names them.
   */
  readonly quarantineDays: number;
  /** Maximum percentage of the examined objects that a sweep may remove or quarantine at once. */
  readonly sweepPercent: number;
  /** Lowest transfer rate in bytes per second. A slower transfer is cut off. */
  readonly leastRate: number;
}

export interface MediaDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly crashPoint: CrashPoint;
  readonly settings: MediaSettings;
  readonly url: () => string;
  readonly findMessage: FindMessage<Reader>;
  readonly holdMessage: FindMessage<Tx>;
  readonly isCover: IsCover;
  readonly gainContent: GainContent;
  readonly holdMessages: HoldMessages;
  readonly loseContent: LoseContent;
  readonly stands: CarrierDeps['stands'];
  readonly requireTarget: CopyDeps['requireTarget'];
  readonly holdGroups: CopyDeps['holdGroups'];
  /** Returns the time before which the operator ordered to remove media; 0 without an order. */
  readonly orderedBefore: (reader: Reader) => Promise<number>;
  readonly mutations: Mutations;
  readonly setPicture: SetPicture;
  readonly setChatPicture: SetChatPicture;
  readonly logger: Logger;
}

export interface Media {
  readonly handlers: ObjectHandlers;
  readonly httpHandlers: Pick<HttpHandlers, 'copyForMessage' | 'uploadProfile'>;
  readonly carriers: Carriers;
  readonly covers: Covers;
  readonly pictures: Pick<Pictures, 'remove' | 'pathsOf'>;
  /** Returns the bytes of an object that an account may read, as they are stored. */
  readonly stored: ReadStored;
  close(): void;
  readonly sweep: ReturnType<typeof createSweep>;
  /** Removes all objects of an account. */
  forgetAccount(tx: Tx, accountId: number): Promise<void>;
}

export function createMedia(deps: MediaDeps): Media {
  const { store, objects, settings } = deps;
  const access = createAccess(deps.holdMessage, deps.isCover);
  const forgetBytes = (key: string): void => {
    removeBytes(store, objects, key).catch((error: unknown) =>
      deps.logger.error({ error }, 'bytes of an object were not removed'),
    );
  };
  const examiner = createExaminer(deps.timers);
  const previews = createPreviews({ ...deps, ...settings, examiner, forgetBytes });
  const upload = createUploads({ ...deps, ...settings, access, forgetBytes, previews });
  const copy = createCopies({ ...deps, ...settings, access });
  const pictures = createPictures({ ...deps, ...settings, examiner, forgetBytes });
  const readAccess = createAccess(deps.findMessage, deps.isCover);
  const downloads = createDownloads({ ...deps, ...settings, access: readAccess, previews });
  return {
    async forgetAccount(tx, accountId) {
      const keys = await removeAccount(tx, deps.loseContent, accountId);
      tx.onCommit(() => {
        for (const key of keys) forgetBytes(key);
      });
    },
    stored: createReadStored(store, objects, readAccess),
    close: examiner.close,
    sweep: createSweep({ ...deps, ...settings, forgetBytes }),
    httpHandlers: {
      copyForMessage: async (call) => {
        const request = requireCopy(call.json());
        return success(JSON.stringify(await copy(callerOf(call), request)));
      },
      uploadProfile: async (call) =>
        success(JSON.stringify(await pictures.upload(callerOf(call), call.query.get('mid') ?? '', call.body))),
    },
    carriers: createCarriers({ ...deps, ...settings, readAccess, forgetBytes }),
    covers: createCovers(forgetBytes),
    pictures,
    handlers: {
      authOf(path, verb) {
        const kind = kindOf(path);
        // Pictures are uploaded with `uploadProfile`. Other uploads must name the object itself, not its preview or
        // information.
        if (verb === 'POST' && (kind === 'picture' || path.form !== 'object')) return undefined;
        if (kind === 'cover') return 'channel';
        if (kind === 'picture') return 'none';
        return kind && 'access';
      },
      serve: {
        directObject: (call) => (call.request.method === 'POST' ? upload(call) : downloads.bytes(call)),
        objectInfo: downloads.info,
        playback: downloads.playback,
      },
    },
  };
}

function callerOf({ caller }: HttpCall): Caller {
  if (!caller) throw new ApiError('REQUEST_NEED_LOGIN');
  return caller;
}

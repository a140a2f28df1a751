// Reads and changes the account's own profile: name, status message, pictures.
import type { HttpResult, Profile } from '@sealpost/contract';
import { drawUuid, type Random } from '@sealpost/contract/ports';
import { loaded } from '../deferred.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { DirectRequest } from '../gateway/http-calls.ts';
import type { Picture } from '../media/picture.ts';
import { uploadPicture } from '../media/upload-picture.ts';
import type { RpcClient } from '../rpc-client.ts';
import { type ProfileChanges, profileAttributesOf } from './attributes.ts';

/** The cover picture of a user's home on the timeline. `objectId` is absent if there is none. */
export type Cover = HttpResult<'getCover'>;

export interface ProfileDeps {
  readonly rpc: RpcClient;
  readonly random: Random;
}

/** The service and SID of cover pictures in object storage. */
const COVERS = { service: 'myhome', sid: 'c' } as const;

export class ProfileVerbs {
  readonly #deps: ProfileDeps;

  constructor(deps: ProfileDeps) {
    this.#deps = deps;
  }

  /** Reads the profile from the server. The replica also has the profile, and needs no call to read it. */
  get(): Promise<Profile> {
    return this.#deps.rpc.TalkService.getProfile();
  }

  /** Changes several attributes of the profile at once. Attributes that are not given, or undefined, do not change. */
  async update(changes: ProfileChanges): Promise<void> {
    const profileAttributes = profileAttributesOf(changes);
    if (Object.keys(profileAttributes).length === 0) return;
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.updateProfileAttributes(nextReqSeq(), { profileAttributes });
  }

  setDisplayName(displayName: string): Promise<void> {
    return this.update({ displayName });
  }

  /** Sets the status message; an empty string removes it. */
  setStatusMessage(statusMessage: NonNullable<ProfileChanges['statusMessage']>): Promise<void> {
    return this.update({ statusMessage });
  }

  /**
   * Uploads a picture without its metadata, and makes it the picture of the profile. Returns its path on the server.
   * @throws MediaError `metadata` if the picture has a format from which metadata cannot be removed
   */
  async setPicture(picture: Picture): Promise<string> {
    const { rpc } = this.#deps;
    return uploadPicture(rpc, rpc.session?.mid ?? '', picture);
  }

  removePicture(): Promise<void> {
    return this.update({ picturePath: '' });
  }

  /** Returns the cover of a user, by default that of the account. */
  async cover(mid?: string): Promise<Cover> {
    const { http } = this.#deps.rpc;
    const { homeId } = await http.homeId(mid === undefined ? {} : { mid });
    return http.getCover({ homeId });
  }

  /** Returns the bytes of a cover, or undefined if there is none. */
  async coverPicture(mid?: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { objectId } = await this.cover(mid);
    if (objectId === undefined) return undefined;
    const answer = await this.#ofCover(objectId, { method: 'GET' });
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** Uploads a picture without its metadata, and makes it the cover of the account. */
  async setCover(picture: Picture): Promise<Cover> {
    const { rpc, random } = this.#deps;
    const { bytes } = await (await loaded(import('../media/picture.ts'))).uploadable(picture);
    const answer = await this.#ofCover(`reqid-${drawUuid(random)}`, { method: 'POST', body: bytes });
    const objectId = answer.headers.get('x-obs-oid');
    if (!objectId) throw new GatewayError('the upload', answer.status, { message: 'the answer has no x-obs-oid' });
    return rpc.http.updateCover({ objectId });
  }

  removeCover(): Promise<Cover> {
    return this.#deps.rpc.http.updateCover({ objectId: '' });
  }

  #ofCover(oid: string, request: DirectRequest): Promise<Response> {
    const { channels, http } = this.#deps.rpc;
    return channels.withToken((channelToken) => http.directObject({ ...COVERS, oid }, { ...request, channelToken }));
  }
}

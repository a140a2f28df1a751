// A group of a simulation in which messages are sealed. Members leave, come back and register new keys, while others
// register group keys and read their shares. The accounts have no device, and no part in the commands of the users.
import { operationTypes } from '@sealpost/contract';
import { createRpcClient, GatewayError, type RpcClient, type Session } from '@sealpost/sdk';
import { seededRandom } from '@sealpost/testing/seeded-random';
import { type ActorDeps, persistent } from './actor.ts';
import type { SimulatedDisk } from './disk.ts';
import { present } from './present.ts';
import { readRows } from './read-rows.ts';

/** Numbers of rounds in which the members change, and in which somebody uses the group key. */
const CHANGES = 8;
const USES = 14;
const MOST_PAUSE_MS = 700;
const KEY_BYTES = 32;
const SHARE_BYTES = 48;

interface Keeper {
  readonly mid: string;
  readonly rpc: RpcClient;
}

/** The shares of one group key, by the mid of their receiver. */
type Shares = ReadonlyMap<string, string>;

export interface SealedGroupDeps extends ActorDeps {
  /** Called when a group key was refused, because the members or their keys had changed meanwhile. */
  readonly onChanged: () => void;
}

export class SealedGroup {
  readonly #deps: SealedGroupDeps;
  readonly #keepers: readonly Keeper[];
  readonly #outside = new Set<Keeper>();
  /** All shares that were ever sent to the server, and those of acknowledged keys by the id of the key. */
  readonly #sent: Shares[] = [];
  readonly #registered = new Map<number, Shares>();
  #chatMid = '';
  #running = 2;

  constructor(sessions: readonly Session[], deps: SealedGroupDeps) {
    const { seed, schedule, network, world } = deps;
    this.#deps = deps;
    this.#keepers = sessions.map((session, i) => ({
      mid: session.mid,
      rpc: createRpcClient({
        ...{ url: 'http://gateway.test', session, clock: schedule.clock },
        fetch: network.fetchOf(world, -1),
        timers: schedule.timersOf(world),
        random: seededRandom(`${seed} keeper ${i}`),
      }),
    }));
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    for (const { rpc } of this.#keepers) rpc.close();
  }

  async #run(): Promise<void> {
    for (const keeper of this.#keepers) await this.#registerOwn(keeper);
    const [founder, ...others] = this.#all();
    const about = { reqSeq: founder.rpc.nextReqSeq(), name: 'sealed', targetUserMids: others.map(midOf) };
    const created = await this.#persist(() => founder.rpc.TalkService.createChat({ ...about, type: 0 }));
    this.#chatMid = created.chat.chatMid;
    for (const keeper of others) await this.#join(keeper);
    void this.#change(others);
    void this.#use();
  }

  #all(): readonly [Keeper, ...Keeper[]] {
    const [founder, ...others] = this.#keepers;
    return [present(founder, 'founder'), ...others];
  }

  #persist<T>(work: () => Promise<T>): Promise<T> {
    return persistent(this.#deps, work);
  }

  #bytes(count: number): string {
    return Buffer.from(Array.from({ length: count }, () => this.#deps.random.below(256))).toString('base64');
  }

  async #registerOwn({ rpc }: Keeper): Promise<void> {
    const [reqSeq, keyData] = [rpc.nextReqSeq(), this.#bytes(KEY_BYTES)];
    await this.#persist(() => rpc.TalkService.registerE2EEPublicKey(reqSeq, { version: 1, keyId: 0, keyData }));
  }

  async #join({ rpc }: Keeper): Promise<void> {
    const request = { reqSeq: rpc.nextReqSeq(), chatMid: this.#chatMid };
    await this.#persist(() => rpc.TalkService.acceptChatInvitation(request));
  }

  /** Lets members leave and come back, and register new keys. The founder stays. */
  async #change(others: readonly Keeper[]): Promise<void> {
    const { schedule, random, world, moves } = this.#deps;
    const [founder] = this.#all();
    for (let left = CHANGES; left > 0; left--) {
      await schedule.sleep(random.below(MOST_PAUSE_MS), world);
      const keeper = random.pick(others);
      const registers = random.oneIn(3);
      if (moves.next('change of the sealed group') === undefined) continue;
      if (registers) await this.#registerOwn(keeper);
      else if (this.#outside.delete(keeper)) {
        const invitation = { reqSeq: founder.rpc.nextReqSeq(), chatMid: this.#chatMid, targetUserMids: [keeper.mid] };
        await this.#persist(() => founder.rpc.TalkService.inviteIntoChat(invitation));
        await this.#join(keeper);
      } else {
        const request = { reqSeq: keeper.rpc.nextReqSeq(), chatMid: this.#chatMid };
        await this.#persist(() => keeper.rpc.TalkService.deleteSelfFromChat(request));
        this.#outside.add(keeper);
      }
    }
    this.#running -= 1;
  }

  /** Lets members use the group key: read their share of it, or register one if the group has none. */
  async #use(): Promise<void> {
    const { schedule, random, world, moves } = this.#deps;
    for (let left = USES; left > 0; left--) {
      await schedule.sleep(random.below(MOST_PAUSE_MS), world);
      const keeper = random.pick(this.#keepers);
      if (moves.next('use of the group key') === undefined) continue;
      if (!(await this.#read(keeper))) await this.#register(keeper);
    }
    this.#running -= 1;
  }

  /** Reads a keeper's share of the newest group key. Returns false if there is none. */
  async #read(keeper: Keeper): Promise<boolean> {
    const share = await this.#unlessRefused(() => keeper.rpc.TalkService.getLastE2EEGroupSharedKey(1, this.#chatMid));
    if (!share) return false;
    const registered = this.#registered.get(share.groupKeyId);
    const known = registered ? [registered] : this.#sent;
    if (!known.some((shares) => shares.get(keeper.mid) === share.encryptedSharedKey))
      this.#violated(`${keeper.mid} got a share of the key ${share.groupKeyId} that nobody made for it`);
    return true;
  }

  async #register({ rpc }: Keeper): Promise<void> {
    const keys = await this.#unlessRefused(() => rpc.TalkService.getLastE2EEPublicKeys(this.#chatMid));
    if (!keys) return;
    const mids = Object.keys(keys);
    const keyIds = mids.map((mid) => present(keys[mid], 'key').keyId);
    const shares = mids.map(() => this.#bytes(SHARE_BYTES));
    const sent = new Map(mids.map((mid, i) => [mid, present(shares[i], 'share')]));
    this.#sent.push(sent);
    const registered = await this.#unlessRefused(() =>
      rpc.TalkService.registerE2EEGroupKey(1, this.#chatMid, mids, keyIds, shares),
    );
    if (registered) this.#registered.set(registered.groupKeyId, sent);
  }

  /** Makes a call until it is answered. Returns undefined if the keeper is not a member, or the group has changed. */
  #unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#persist(() =>
      work().catch((error: unknown) => {
        if (!(error instanceof GatewayError) || !REFUSALS.includes(error.error)) throw error;
        if (error.error === 'E2EE_RECREATE_GROUP_KEY') this.#deps.onChanged();
        return undefined;
      }),
    );
  }

  /**
   * Checks the tables at the end. The ids of the group keys rise with time. The receivers of each key are the members at the
   * time of its registration, by the log of the founder. The key that is valid now fits the members and their keys.
   */
  async check(disk: SimulatedDisk): Promise<void> {
    const keys = readRows<KeyRow>(disk, KEYS, this.#chatMid);
    for (const [i, { id, receivers, time }] of keys.entries()) {
      if (time < (keys[i - 1]?.time ?? 0)) this.#violated(`the key ${id} of the group is older than the one before it`);
      if (!this.#membersAt(disk, time).includes(receivers))
        this.#violated(`the key ${id} is for ${receivers}, who were not the members`);
    }
    for (const [id, shares] of this.#registered) {
      const stored = readRows<ShareRow>(disk, SHARES, this.#chatMid, id);
      if (stored.length !== shares.size || stored.some(({ mid, share }) => shares.get(mid) !== share))
        this.#violated(`the acknowledged key ${id} was stored with other shares`);
    }
    const [founder] = this.#all();
    const valid = await this.#unlessRefused(() => founder.rpc.TalkService.getLastE2EEGroupSharedKey(1, this.#chatMid));
    if (!valid) return;
    const { receivers } = present(
      keys.find(({ id }) => id === valid.groupKeyId),
      'valid key',
    );
    const isStale = readRows(disk, STALE, valid.groupKeyId, this.#chatMid).length > 0;
    if (isStale || !this.#membersAt(disk, Number.POSITIVE_INFINITY).includes(receivers))
      this.#violated(`the key ${valid.groupKeyId} is valid, and does not fit the members and their keys`);
  }

  /** Returns who the members may have been at a time. There are several answers if they changed in this millisecond. */
  #membersAt(disk: SimulatedDisk, time: number): readonly string[] {
    const [founder] = this.#all();
    const members = new Set([founder.mid]);
    const shown = (): string => [...members].sort().join(' ');
    const possible: string[] = [];
    let before = shown();
    for (const { type, mid, at } of readRows<ChangeRow>(disk, CHANGES_SEEN, founder.mid, this.#chatMid)) {
      if (at > time) break;
      if (at === time) possible.push(shown());
      if (type === operationTypes.NOTIFIED_ACCEPT_CHAT_INVITATION) members.add(mid);
      else members.delete(mid);
      before = shown();
    }
    return [...possible, before];
  }

  #violated(what: string): void {
    this.#deps.judge.violated('group-key', what);
  }
}

const midOf = ({ mid }: Keeper): string => mid;

/** How the server refuses those who are not members, or what does not fit the group any more. */
const REFUSALS: readonly (string | undefined)[] = ['NOT_A_MEMBER', 'NOT_FOUND', 'E2EE_RECREATE_GROUP_KEY'];

interface KeyRow {
  readonly id: number;
  readonly time: number;
  /** The mids of the receivers in their order, with spaces between. */
  readonly receivers: string;
}

interface ShareRow {
  readonly mid: string;
  readonly share: string;
}

interface ChangeRow {
  readonly type: number;
  readonly mid: string;
  readonly at: number;
}

const KEYS = `select g.group_key_id as id, g.created_time as time,
    (select group_concat(mid, ' ') from (select a.mid as mid from e2ee_group_key_share s join account a on a.id = s.account_id
      where s.chat_id = g.chat_id and s.group_key_id = g.group_key_id order by a.mid)) as receivers
  from e2ee_group_key g join chat c on c.id = g.chat_id where c.mid = ? order by g.group_key_id`;
const SHARES = `select a.mid as mid, s.encrypted_shared_key as share from e2ee_group_key_share s
  join account a on a.id = s.account_id join chat c on c.id = s.chat_id where c.mid = ? and s.group_key_id = ?`;
const CHANGES_SEEN = `select o.type as type, o.param2 as mid, o.created_time as at from operation o
  join account a on a.id = o.account_id where a.mid = ? and o.param1 = ?
  and o.type in (${operationTypes.NOTIFIED_ACCEPT_CHAT_INVITATION}, ${operationTypes.NOTIFIED_DELETE_SELF_FROM_CHAT})
  order by o.revision`;
/** Members of whom a group key has no share for their present key. */
const STALE = `select m.account_id as account from chat_member m join chat c on c.id = m.chat_id
  left join e2ee_group_key_share s on s.chat_id = m.chat_id and s.account_id = m.account_id and s.group_key_id = ?
  where c.mid = ? and m.joined = 1
  and s.key_id is not (select max(k.key_id) from e2ee_key k where k.account_id = m.account_id)`;

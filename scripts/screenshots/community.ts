// The community whose administration the screenshots show: a club with many members, and what its operators did.
import { logInAdministrator, type TestAdministrator } from '@sealpost/dev-env/administrators';
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { sealingUser } from '@sealpost/dev-env/sealing-user';
import type { AdminClient } from '@sealpost/sdk/admin';
import { sql } from '../../packages/server/src/platform/store/sql.ts';
import { ago, NOW, type StoryClock } from './fixed.ts';

const MB = 1_000_000;
const DAY_MINUTES = 1440;

/** The members: a name, the days since they were last seen, and the megabytes of their media. */
const members: readonly (readonly [name: string, days: number, megabytes?: number])[] = [
  ['Maya Lindqvist', 0, 4812],
  ['山田 さくら', 0, 918],
  ['อนงค์ ศรีสุขสวัสดิ์', 0, 356],
  ['Wilhelmina Hammonds', 0, 2204],
  ['林美華', 1, 41],
  ['عبد الرحمن المنصوري', 1, 1290],
  ['Ben Okafor', 1, 7],
  ['Inês Duarte', 2],
  ['Ruth Abelson', 2, 77],
  ['Priya Raman', 3, 603],
  ['Nils Bergström', 3],
  ['Tom 🚲', 4, 12],
  ['Leo Fontaine', 5],
  ['دانيال', 6, 3],
  ['สมชาย', 6],
  ['Zoë', 8, 510],
  ['Donaudampfschifffahr', 8, 1],
  ['Cheap seals 50% off', 9, 28],
  ['Kofi Mensah', 9],
  ['Ayşe Yıldırım', 9],
  ['Xóchitl Hernández', 10, 190],
  ['Marta', 10],
  ['佐藤 健', 11],
  ['Jürgen Weiß', 11, 66],
  ['Old Tom', 12],
];

const idOf = sql<{ id: number }>('select id from account where mid = ?');
const addUsage = sql('insert into media_usage (account_id, objects, bytes) values (?, ?, ?)');

export interface Community {
  readonly admin: AdminClient;
  /** An administrator who has a second factor. */
  readonly operator: TestAdministrator;
  /** The members by name. */
  readonly member: Readonly<Record<string, TestUser>>;
}

/** Fills a server. The time of the server ends where the screenshots are taken. */
export async function gatherCommunity(server: TestServer, clock: StoryClock): Promise<Community> {
  const admin = operator(server);
  const member: Record<string, TestUser> = {};
  for (const [name, days, megabytes] of members.toReversed()) {
    clock.minutesBefore(days * DAY_MINUTES + ((name.length * 37) % 600));
    member[name] = await server.user(name);
    if (megabytes !== undefined) await giveMedia(server, member[name].mid, megabytes);
  }
  clock.minutesBefore(ago('8:00'));
  await server.user('City Library', 'official');
  await server.user('สโมสรเรือพาย News', 'official');
  const maya = member['Maya Lindqvist'] as TestUser;
  for (let devices = 0; devices < 2; devices++) await maya.session();
  await trustDevices(admin, maya);
  const sealer = await sealingUser(maya);
  await sealer.renew();
  await admin.disableAccount({ account: member['Cheap seals 50% off']?.mid ?? '' });
  await admin.disableAccount({ account: member['Old Tom']?.mid ?? '' });
  clock.minutesBefore(ago('9:20'));
  await inviteSome(admin);
  await reportSome(admin, member);
  await noticeSome(admin);
  await machineTokens(admin);
  await logInAdministrator(server, { name: 'a-rather-long-name-of-an-admin', now: clock.now });
  const owner = await logInAdministrator(server, { name: 'ruth', now: clock.now });
  clock.minutesBefore(0);
  return { admin, operator: owner, member };
}

async function giveMedia({ server }: TestServer, mid: string, megabytes: number): Promise<void> {
  const { id } = (await server.store.read((reader) => reader.one(idOf, mid))) ?? { id: 0 };
  await server.store.transact((tx) => tx.run(addUsage, id, megabytes * 3, megabytes * MB));
}

/** Lets devices of an account in, so that they are trusted. */
async function trustDevices(admin: AdminClient, user: TestUser): Promise<void> {
  const account = user.mid;
  const login = async (): Promise<string> => (await admin.listLogins({ account })).logins[0]?.loginId ?? '';
  for (const systemName of ['Maya’s phone', 'The tablet of the boathouse, beside the coffee machine']) {
    const device = await user.session();
    await device.login({
      ...{ identifier: user.userid, password: user.password, systemName },
      onConfirmationNeeded: async (pinCode) => admin.approveLogin({ account, login: await login(), pinCode }),
    });
  }
}

async function inviteSome(admin: AdminClient): Promise<void> {
  const spring = { uses: 40, days: 30, name: 'Rowing club, members of the spring course' };
  await admin.createInvite({ ...spring, from: 'Ruth', note: 'The sheet on the board in the boathouse' });
  await admin.createInvite({ uses: 1, days: 14, name: 'عبد الله', note: 'Brother of Omar, starts in May' });
  await admin.createInvite({ uses: 1, days: 0, name: 'ครูสมศรี', note: 'โรงเรียน' });
  await admin.createInvite({ uses: 5, days: 3 });
  const revoked = await admin.createInvite({
    uses: 500,
    days: 90,
    name: 'Open day',
    note: 'The link was posted in public',
  });
  await admin.revokeInvite({ invite: revoked.id });
}

/** The names of reported members, with the reason and the text of each report. */
const reports = [
  ['Cheap seals 50% off', 5, 'Send money first, the seals come later. Only today!!!'],
  [
    'Cheap seals 50% off',
    1,
    'https://seals.example.com/buy?now=1&ref=8c1f03a9d22b4e0f9a6d5c7b1e2f3a4b5c6d7e8f9a0b1c2d3e4f',
  ],
  ['Leo Fontaine', 3, 'You row like a piano.'],
  ['عبد الرحمن المنصوري', 0, 'لم أوافق على نشر صورتي'],
  ['Old Tom', 4, 'I am the new treasurer, send me the card number'],
] as const;

async function reportSome(admin: AdminClient, member: Community['member']): Promise<void> {
  const reporter = member['Ben Okafor'];
  for (const [name, reason, message] of reports)
    await reporter?.client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: {
          ...{ reportSource: 1, spammerReasons: [reason] },
          metadata: { userMid: member[name]?.mid ?? '', displayName: name },
          abuseMessages: [{ messageId: '1', message, contentType: 0, createdTime: String(NOW - 5_400_000) }],
        },
      },
    });
  const [, impersonation] = (await admin.listReports()).reports;
  if (impersonation)
    await admin.resolveReport({ report: impersonation.id, action: 'dismiss', note: 'asked both, settled' });
}

async function noticeSome(admin: AdminClient): Promise<void> {
  const body =
    'The server pauses on Saturday from 06:00 to 06:30 for new disks. Messages that you write meanwhile are sent afterwards. Nothing is lost, and you need not log in again.';
  await admin.publishNotice({ title: 'A pause on Saturday morning', body, showTimingWhenLogin: true });
  await admin.publishNotice({ title: 'ปิดปรับปรุงระบบวันเสาร์', body: 'ตั้งแต่เวลา 06:00 ถึง 06:30 น.', language: 'th' });
  const { id } = await admin.publishNotice({
    title: 'Welcome to the club',
    body: 'Say hello in the group “Everyone”.',
  });
  await admin.withdrawNotice({ notice: id });
}

async function machineTokens(admin: AdminClient): Promise<void> {
  await admin.createToken({ name: 'The nightly list of members for the treasurer', scopes: ['read'], days: 90 });
  await admin.createToken({ name: 'backup', scopes: ['read', 'accounts'] });
}

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reportSources, spammerReasons } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { admin, failsWith, nobody, operator } from '@sealpost/dev-env/people';
import type { AdminArgs, Report } from '@sealpost/sdk/admin';

for (const database of databases) {
  describe(`reports on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let mallory: TestUser;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const reportBy = (user: TestUser, userMid: string | undefined) =>
      user.client.TalkService.reportAbuseEx({
        abuseReportEntry: {
          message: {
            reportSource: reportSources.DIRECT_CHAT,
            applicationType: 368,
            spammerReasons: [spammerReasons.SCAM],
            abuseMessages: [{ messageId: '1', message: 'send money', contentType: 0, createdTime: '5' }],
            metadata: { displayName: 'M', ...(userMid === undefined ? {} : { userMid }) },
          },
        },
      });
    const list = async (status?: AdminArgs<'listReports'>['status']): Promise<Report[]> =>
      (await operator(server).listReports(status && { status })).reports;
    const filed = async (): Promise<Report> => {
      alice = await server.user('alice');
      mallory = await server.user('mallory');
      await reportBy(alice, mallory.mid);
      return (await list('open'))[0] as Report;
    };

    test('a report reaches the operator as it was sent, and nobody else', async () => {
      const report = await filed();
      assert.equal(report.reporterMid, alice.mid);
      assert.equal(report.reportedMid, mallory.mid);
      assert.equal(report.status, 'open');
      const { abuseMessages } = report.report as { abuseMessages?: { message?: string }[] };
      assert.equal(abuseMessages?.[0]?.message, 'send money');
      assert.deepEqual(await operator(server).showReport({ report: report.id }), report);
      assert.deepEqual(await mallory.log(), []);
      assert.deepEqual(await alice.log(), []);
    });

    test('a dismissed report is closed once, with a note in the audit log', async () => {
      const { id } = await filed();
      const resolve = () => operator(server).resolveReport({ report: id, action: 'dismiss', note: 'a joke' });
      assert.equal((await resolve()).resolution, 'dismiss');
      await assert.rejects(resolve(), { status: 409 });
      assert.equal(
        (await list('open')).some((report) => report.id === id),
        false,
      );
      assert.equal((await list('resolved'))[0]?.id, id);
      const [entry] = (await operator(server).listAudit({ limit: 1 })).entries;
      assert.equal(entry?.action, 'report.resolve');
      assert.equal(entry?.subject, mallory.mid);
      assert.deepEqual(entry?.detail, { report: id, action: 'dismiss', note: 'a joke' });
      assert.equal((await mallory.client.TalkService.getProfile()).mid, mallory.mid, 'the account goes on');
    });

    test('an open report is assigned, given back, and no longer assigned once it is resolved', async () => {
      const { id } = await filed();
      const assign = (to?: string) => operator(server).assignReport({ report: id, ...(to !== undefined && { to }) });
      assert.equal((await assign('Ruth')).assignedTo, 'Ruth');
      assert.equal((await list('open'))[0]?.assignedTo, 'Ruth');
      const [entry] = (await operator(server).listAudit({ limit: 1 })).entries;
      assert.deepEqual(
        [entry?.action, entry?.subject, entry?.detail],
        ['report.assign', mallory.mid, { report: id, to: 'Ruth' }],
      );
      assert.equal('assignedTo' in (await assign()), false);
      await assign('Ben');
      const resolved = await operator(server).resolveReport({ report: id, action: 'dismiss' });
      assert.equal(resolved.assignedTo, 'Ben', 'who took care of it stays known');
      await assert.rejects(assign('Ruth'), { status: 409 });
      await assert.rejects(operator(server).assignReport({ report: '1', to: 'Ruth' }), { status: 404 });
      assert.equal((await operator(server).showReport({ report: id })).assignedTo, 'Ben');
    });

    test('a report changes only as the caller knows it, if the caller says so', async () => {
      const { id } = await filed();
      const client = operator(server);
      const changed = { status: 409, code: 'report-changed' };
      const entries = async () => (await client.listAudit({ subject: mallory.mid })).entries.length;
      await client.assignReport({ report: id, to: 'Ruth', ifAssignedTo: '' });
      const before = await entries();
      await assert.rejects(client.assignReport({ report: id, to: 'Ben', ifAssignedTo: '' }), {
        ...changed,
        detail: '"Ruth" takes care of the report now; look at it again',
      });
      for (const action of ['dismiss', 'disable-account'] as const)
        await assert.rejects(client.resolveReport({ report: id, action, ifAssignedTo: 'Ben' }), changed);
      assert.equal(await entries(), before, 'a refused change leaves no trace');
      const { status, assignedTo, reportedDisabled } = await client.showReport({ report: id });
      assert.deepEqual([status, assignedTo, reportedDisabled], ['open', 'Ruth', false]);
      await client.assignReport({ report: id, ifAssignedTo: 'Ruth' });
      await assert.rejects(client.assignReport({ report: id, to: 'Ben', ifAssignedTo: 'Ruth' }), {
        ...changed,
        detail: 'nobody takes care of the report now; look at it again',
      });
      const ways = ['Ruth', 'Ben'].map((to) => client.assignReport({ report: id, to, ifAssignedTo: '' }));
      const won = (await Promise.allSettled(ways)).filter((way) => way.status === 'fulfilled');
      assert.equal(won.length, 1, 'of two at the same moment, one wins');
      const { assignedTo: winner = '' } = await client.showReport({ report: id });
      await client.resolveReport({ report: id, action: 'dismiss', ifAssignedTo: winner });
      await assert.rejects(client.assignReport({ report: id, ifAssignedTo: '' }), { code: 'report-resolved' });
    });

    test('disabling the reported account ends its sessions at once', async () => {
      const { id } = await filed();
      const resolve = () => operator(server).resolveReport({ report: id, action: 'disable-account' });
      assert.equal((await resolve()).reportedDisabled, true);
      await assert.rejects(mallory.client.TalkService.getProfile());
      assert.equal((await alice.client.TalkService.getProfile()).mid, alice.mid);
      await assert.rejects(resolve(), { status: 409 });
    });

    test('reports about nobody and unknown reports are refused', async () => {
      const { id } = await filed();
      await assert.rejects(reportBy(alice, nobody), failsWith('NOT_FOUND'));
      await assert.rejects(
        reportBy(alice, 'mallory'),
        failsWith('INVALID_MID', /message\.metadata\.userMid "mallory"/),
      );
      await assert.rejects(reportBy(alice, undefined), failsWith('ILLEGAL_ARGUMENT', /userMid/));
      assert.equal((await list())[0]?.id, id);
      await assert.rejects(operator(server).showReport({ report: '1' }), { status: 404 });
      assert.equal((await admin(server, 'GET', '/reports?status=x')).status, 400);
      assert.equal((await admin(server, 'POST', `/reports/${id}/resolve`, { action: 'shout' })).status, 400);
    });

    test('reports survive a restart', async () => {
      const report = await filed();
      await server.restart();
      assert.deepEqual((await list('open'))[0], report);
    });
  });
}

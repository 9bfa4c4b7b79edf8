import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../provider/src/journal.js";
import { FakeClock } from "./support/fake-clock.js";

/** No process has this id: it is above the largest that Linux gives out. */
const deadPid = 2 ** 22 + 1;
const key = ["https://api.example.com", { domain: "docs.example.com", triggers: "s3cret trigger" }];

describe("the journal of jobs in flight", () => {
    let folder: string;
    let clock: FakeClock;
    beforeEach(() => {
        folder = join(mkdtempSync(join(tmpdir(), "static-export-journal-")), "jobs");
        clock = new FakeClock();
    });
    afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

    const journalOf = (options: { pid?: number; host?: string } = {}) => new Journal(folder, { now: clock.now, ...options });
    const startedBy = async (journal: Journal, jobId = "se_1") => (await journal.open(key, "docs.example.com")).saveJob(jobId);
    const jobsOf = async (journal: Journal, exportKey: unknown = key) =>
        (await journal.find(exportKey)).map(({ jobId }) => jobId);

    it("tells the jobs of the same export, whoever started them", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        assert.deepEqual(await jobsOf(journalOf()), ["se_1"]);
    });

    it("tells the newest first", async () => {
        await startedBy(journalOf(), "se_1");
        clock.pass(1000);
        await startedBy(journalOf(), "se_2");
        assert.deepEqual(await jobsOf(journalOf()), ["se_2", "se_1"]);
    });

    it("tells interrupted starts after the jobs", async () => {
        await startedBy(journalOf(), "se_1");
        clock.pass(1000);
        await journalOf({ pid: deadPid }).open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journalOf()), ["se_1", undefined]);
    });

    it("tells nothing to who asks for another export", async () => {
        await startedBy(journalOf());
        assert.deepEqual(await jobsOf(journalOf(), ["https://api.example.com", { domain: "other.example.com" }]), []);
    });

    it("tells of a start that was interrupted before its answer", async () => {
        await journalOf({ pid: deadPid }).open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journalOf()), [undefined]);
    });

    it("tells of an interrupted start of an earlier process that had the same id", async () => {
        await journalOf().open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journalOf()), [undefined]);
    });

    it("does not take a start for interrupted while its process lives", async () => {
        await journalOf({ pid: process.ppid }).open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journalOf()), []);
    });

    it("does not take a start of its own for interrupted", async () => {
        const journal = journalOf();
        await journal.open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journal), []);
    });

    it("keeps the job when its delivery is written down", async () => {
        await startedBy(journalOf());
        const [entry] = await journalOf().find(key);
        await entry?.saveDelivery();
        const [delivered] = await journalOf().find(key);
        assert.equal(delivered?.jobId, "se_1");
        assert.equal(delivered?.deliveredAt, "2026-11-20T12:00:00.000Z");
    });

    it("forgets a job whose outcome stands in the state", async () => {
        await startedBy(journalOf(), "se_1");
        await startedBy(journalOf(), "se_2");
        await journalOf().forget("se_1");
        assert.deepEqual(await jobsOf(journalOf()), ["se_2"]);
    });

    it("brings no forgotten job back when its delivery is written down late", async () => {
        await startedBy(journalOf());
        const [entry] = await journalOf().find(key);
        await journalOf().forget("se_1");
        await entry?.saveDelivery();
        assert.deepEqual(await jobsOf(journalOf()), []);
    });

    it("is readable by its owner only", async () => {
        await startedBy(journalOf());
        assert.equal(statSync(folder).mode & 0o777, 0o700);
        for (const name of readdirSync(folder)) {
            assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
        }
    });

    it("writes job, domain and process, and neither trigger nor address", async () => {
        await startedBy(journalOf());
        const text = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), "utf8")).join("\n");
        assert.match(text, /docs\.example\.com.*se_1/);
        assert.doesNotMatch(text, /s3cret|api\.example\.com/);
    });

    it("leaves no half-written file behind", async () => {
        await startedBy(journalOf());
        assert.deepEqual(readdirSync(folder).filter((name) => !name.endsWith(".json")), []);
    });

    it("prunes what is older than seven days when it opens an entry", async () => {
        await startedBy(journalOf(), "se_old");
        clock.pass(8 * 24 * 3600_000);
        await startedBy(journalOf(), "se_new");
        assert.deepEqual(await jobsOf(journalOf()), ["se_new"]);
    });

    it("passes over a damaged entry", async () => {
        await startedBy(journalOf());
        const [name = ""] = readdirSync(folder);
        writeFileSync(join(folder, name), '{"domain":');
        assert.deepEqual(await jobsOf(journalOf()), []);
    });

    it("has nothing to tell before it was ever written", async () => {
        assert.deepEqual(await jobsOf(journalOf()), []);
        await journalOf().forget("se_1");
    });

    it("keeps the entries of many processes that write at once", async () => {
        await Promise.all(Array.from({ length: 50 }, (_, index) => startedBy(journalOf(), `se_${index}`)));
        assert.equal((await jobsOf(journalOf())).length, 50);
    });

    it("stands where STATIC_EXPORT_JOURNAL_DIR says, or else in the user's state folder", () => {
        assert.equal(Journal.defaultFolder({ STATIC_EXPORT_JOURNAL_DIR: "/a" }), "/a");
        assert.equal(Journal.defaultFolder({ XDG_STATE_HOME: "/b" }), join("/b", "pulumi-static-export", "jobs"));
        assert.match(Journal.defaultFolder({}), /\.local.state.pulumi-static-export.jobs$/);
    });
});

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../provider/src/journal.js";
import { FakeClock } from "./support/fake-clock.js";

/** No process has this id: it is above the largest that Linux gives out. */
const deadPid = 2 ** 22 + 1;
const key = ["https://api.example.com", { domain: "docs.example.com", triggers: "s3cret trigger" }];

describe("the journal of jobs in flight", () => {
    let folder: string;
    let clock: FakeClock;
    let lives = 0;
    beforeEach(() => {
        folder = join(mkdtempSync(join(tmpdir(), "static-export-journal-")), "jobs");
        clock = new FakeClock();
    });
    afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

    const journalOf = (owner: { pid?: number; host?: string } = {}) =>
        new Journal(folder, {
            now: clock.now,
            owner: { host: "here", pid: process.pid, life: `life ${++lives}`, ...owner },
        });
    const startedBy = async (journal: Journal, jobId = "se_1") => {
        const entry = await journal.open(key, "docs.example.com");
        await entry.saveJob(jobId);
        return entry;
    };

    it("gives the job of a dead process to the next one that asks for the same export", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        assert.equal((await journalOf().adopt(key))?.jobId, "se_1");
    });

    it("gives nothing to who asks for another export", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        assert.equal(await journalOf().adopt(["https://api.example.com", { domain: "other.example.com" }]), undefined);
    });

    it("gives one job to one process only", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        const adopted = await Promise.all(Array.from({ length: 8 }, () => journalOf().adopt(key)));
        assert.equal(adopted.filter((entry) => entry !== undefined).length, 1);
    });

    it("keeps the job of a process that lives", async () => {
        await startedBy(journalOf({ pid: process.ppid }));
        assert.equal(await journalOf().adopt(key), undefined);
    });

    it("keeps the job of another resource of the same process", async () => {
        const journal = journalOf();
        await startedBy(journal);
        assert.equal(await journal.adopt(key), undefined);
    });

    it("gives away the job of an earlier process that had the same id", async () => {
        await startedBy(journalOf());
        assert.equal((await journalOf().adopt(key))?.jobId, "se_1");
    });

    it("keeps the job of a process of another machine while its wait is heard of, and not longer", async () => {
        const entry = await startedBy(journalOf({ host: "there" }));
        clock.pass(4 * 60_000);
        await entry.touch();
        clock.pass(4 * 60_000);
        assert.equal(await journalOf().adopt(key), undefined);
        clock.pass(2 * 60_000);
        assert.equal((await journalOf().adopt(key))?.jobId, "se_1");
    });

    it("tells of a start that was interrupted before its answer", async () => {
        await journalOf({ pid: deadPid }).open(key, "docs.example.com");
        const entry = await journalOf().adopt(key);
        assert.equal(entry?.jobId, undefined);
        assert.equal(entry?.domain, "docs.example.com");
    });

    it("forgets a job whose outcome stands in the state", async () => {
        const journal = journalOf({ pid: deadPid });
        await startedBy(journal, "se_1");
        await startedBy(journal, "se_2");
        await journal.forget("se_1");
        const next = journalOf();
        assert.equal((await next.adopt(key))?.jobId, "se_2");
        assert.equal(await next.adopt(key), undefined);
    });

    it("is readable by its owner only", async () => {
        await startedBy(journalOf());
        assert.equal(statSync(folder).mode & 0o777, 0o700);
        for (const name of readdirSync(folder)) {
            assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
        }
    });

    it("writes job, domain and owner, and no trigger", async () => {
        await startedBy(journalOf());
        const text = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), "utf8")).join("\n");
        assert.match(text, /se_1.*docs\.example\.com|docs\.example\.com.*se_1/);
        assert.doesNotMatch(text, /s3cret|api\.example\.com/);
    });

    it("leaves no half-written file behind", async () => {
        await startedBy(journalOf());
        assert.deepEqual(readdirSync(folder).filter((name) => !name.endsWith(".json")), []);
    });

    it("prunes what is older than seven days when it opens an entry", async () => {
        await startedBy(journalOf({ pid: deadPid }), "se_old");
        clock.pass(8 * 24 * 3600_000);
        await startedBy(journalOf(), "se_new");
        assert.equal(readdirSync(folder).length, 1);
    });

    it("passes over a damaged entry", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        const [name = ""] = readdirSync(folder);
        writeFileSync(join(folder, name), '{"domain":');
        assert.equal(await journalOf().adopt(key), undefined);
    });

    it("has nothing to give before it was ever written", async () => {
        assert.equal(await journalOf().adopt(key), undefined);
        await journalOf().forget("se_1");
    });

    it("stands where STATIC_EXPORT_JOURNAL_DIR says, or else in the user's state folder", () => {
        assert.equal(Journal.defaultFolder({ STATIC_EXPORT_JOURNAL_DIR: "/a" }), "/a");
        assert.equal(Journal.defaultFolder({ XDG_STATE_HOME: "/b" }), join("/b", "pulumi-static-export", "jobs"));
        assert.match(Journal.defaultFolder({}), /\.local.state.pulumi-static-export.jobs$/);
    });

    it("takes this process of this machine for the owner", async () => {
        const entry = await new Journal(folder).open(key, "docs.example.com");
        await entry.saveJob("se_1");
        const [name = ""] = readdirSync(folder);
        const { owner } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { owner: { pid: number; host: string } };
        assert.equal(owner.pid, process.pid);
        assert.equal(owner.host, hostname());
    });
});

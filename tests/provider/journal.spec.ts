import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../provider/src/journal.js";
import { journalFolder } from "../../provider/src/journal-folder.js";
import { FakeClock } from "./support/fake-clock.js";

/** No process has this id: it is above the largest that Linux gives out. */
const deadPid = 2 ** 22 + 1;
const key = ["https://api.example.com", { domain: "docs.example.com", triggers: "s3cret trigger" }];

describe("the journal of jobs in flight", () => {
    let folder: string;
    let clock: FakeClock;
    let problems: string[];
    beforeEach(() => {
        problems = [];
        folder = join(mkdtempSync(join(tmpdir(), "static-export-journal-")), "jobs");
        clock = new FakeClock();
    });
    afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

    const journalOf = (options: { pid?: number; host?: string } = {}) =>
        new Journal(folder, { now: clock.now, report: (problem) => problems.push(problem), ...options });
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

    const startsUnderWay = async (journal: Journal) => (await journal.find(key)).map(({ isUnderWay }) => isUnderWay);

    it("tells of a start that was interrupted before its answer", async () => {
        await journalOf({ pid: deadPid }).open(key, "docs.example.com");
        assert.deepEqual(await jobsOf(journalOf()), [undefined]);
    });

    describe("takes a start for", () => {
        it("interrupted when its process is dead", async () => {
            await journalOf({ pid: deadPid }).open(key, "docs.example.com");
            assert.deepEqual(await startsUnderWay(journalOf()), [false]);
        });

        it("interrupted when it is of an earlier process that had the same id", async () => {
            await journalOf().open(key, "docs.example.com");
            assert.deepEqual(await startsUnderWay(journalOf()), [false]);
        });

        it("interrupted when it is older than any start can be, although its process id is in use", async () => {
            await journalOf({ pid: process.ppid }).open(key, "docs.example.com");
            clock.pass(15 * 60_000);
            assert.deepEqual(await startsUnderWay(journalOf()), [false]);
        });

        it("interrupted when its process knows that it will never have an answer", async () => {
            await (await journalOf({ pid: process.ppid }).open(key, "docs.example.com")).saveUnanswered();
            assert.deepEqual(await startsUnderWay(journalOf()), [false]);
        });

        it("one under way while its process lives", async () => {
            await journalOf({ pid: process.ppid }).open(key, "docs.example.com");
            clock.pass(14 * 60_000);
            assert.deepEqual(await startsUnderWay(journalOf()), [true]);
        });

        it("one under way when it is its own", async () => {
            const journal = journalOf();
            await journal.open(key, "docs.example.com");
            assert.deepEqual(await startsUnderWay(journal), [true]);
        });
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

    it("lets a run that shares a job keep its own entry when the other one forgets the job", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        const sharing = journalOf({ pid: process.ppid });
        const [entry] = await sharing.find(key);
        await entry?.take();
        await journalOf().forget("se_1");
        assert.deepEqual(await jobsOf(journalOf()), ["se_1"]);
    });

    it("marks only the entry of the run that has delivered the job", async () => {
        const first = await startedBy(journalOf({ pid: process.ppid }));
        const [entry] = await journalOf().find(key);
        await entry?.take();
        await first.saveDelivery();
        const deliveries = (await journalOf().find(key)).map(({ deliveredAt }) => deliveredAt !== undefined);
        assert.deepEqual(deliveries.sort(), [false, true]);
    });

    it("takes over the entry of a run that is dead", async () => {
        await startedBy(journalOf({ pid: deadPid }));
        const [entry] = await journalOf().find(key);
        await entry?.take();
        assert.equal(readdirSync(folder).length, 1);
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

    it("prunes what is older than seven days when it opens an entry, whole or not", async () => {
        await startedBy(journalOf(), "se_old");
        writeFileSync(join(folder, "damaged.json"), '{"domain":');
        writeFileSync(join(folder, "x.json.half-written.draft"), "");
        for (const name of readdirSync(folder)) {
            utimesSync(join(folder, name), clock.now() / 1000, clock.now() / 1000);
        }
        clock.pass(7 * 24 * 3600_000 + 1);
        await startedBy(journalOf(), "se_new");
        assert.deepEqual(await jobsOf(journalOf()), ["se_new"]);
        assert.equal(readdirSync(folder).length, 1);
    });

    it("passes over a damaged entry", async () => {
        await startedBy(journalOf());
        const [name = ""] = readdirSync(folder);
        writeFileSync(join(folder, name), '{"domain":');
        assert.deepEqual(await jobsOf(journalOf()), []);
    });

    it("passes over an entry that cannot be read", async () => {
        await startedBy(journalOf());
        const [name = ""] = readdirSync(folder);
        // A folder in its place stands for a file of another user: root, as whom specs may run, reads every file.
        rmSync(join(folder, name));
        mkdirSync(join(folder, name));
        assert.deepEqual(await jobsOf(journalOf()), []);
    });

    it("has nothing to tell before it was ever written", async () => {
        assert.deepEqual(await jobsOf(journalOf()), []);
        await journalOf().forget("se_1");
        assert.deepEqual(problems, []);
    });

    for (const [where, place] of [
        ["a place that cannot be written", () => join(folder, "file", "below")],
        ["no place at all", () => undefined],
    ] as const) {
        it(`says once, and fails nothing, when it has ${where}`, async () => {
            mkdirSync(folder);
            writeFileSync(join(folder, "file"), "");
            const journal = new Journal(place(), { report: (problem) => problems.push(problem) });
            await (await journal.open(key, "docs.example.com")).saveUnanswered();
            await (await startedBy(journal)).saveDelivery();
            assert.deepEqual(await jobsOf(journal), []);
            await journal.forget("se_1");
            assert.equal(problems.length, 1);
            assert.match(problems[0]!, /cannot be written, so a kill .* lose its jobs: .*\. Set STATIC_EXPORT_JOURNAL_DIR/);
        });
    }

    it("keeps the entries of many processes that write at once", async () => {
        await Promise.all(Array.from({ length: 50 }, (_, index) => startedBy(journalOf(), `se_${index}`)));
        assert.equal((await jobsOf(journalOf())).length, 50);
    });
});

describe("the journal's folder", () => {
    const below = (path: string) => join(path, "pulumi-static-export", "jobs");
    const inHome = /\.local.state.pulumi-static-export.jobs$/;

    it("is the one that STATIC_EXPORT_JOURNAL_DIR names", () => {
        assert.equal(journalFolder({ STATIC_EXPORT_JOURNAL_DIR: "/a", XDG_STATE_HOME: "/b" }), "/a");
    });

    it("is in XDG_STATE_HOME", () => {
        assert.equal(journalFolder({ XDG_STATE_HOME: "/b" }), below("/b"));
    });

    it("is in the user's home where neither is set, or XDG_STATE_HOME is not absolute", () => {
        for (const env of [{}, { STATIC_EXPORT_JOURNAL_DIR: "" }, { XDG_STATE_HOME: "" }, { XDG_STATE_HOME: "state" }]) {
            assert.match(journalFolder(env) ?? "", inHome);
        }
    });
});

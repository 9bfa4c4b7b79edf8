import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "../../../../provider/src/engine/journal/journal.js";
import { claimIn, JournalFixture, jobsIn, key, startIn } from "./journal-fixture.js";

describe("the journal", () => {
    let fixture: JournalFixture;
    beforeEach(() => {
        fixture = new JournalFixture();
    });
    afterEach(() => fixture.dispose());

    describe("as a folder of files", () => {
        it("is readable only by its owner", async () => {
            await startIn(fixture.open());
            assert.equal(statSync(fixture.folder).mode & 0o777, 0o700);
            for (const name of readdirSync(fixture.folder)) {
                assert.equal(statSync(join(fixture.folder, name)).mode & 0o777, 0o600);
            }
        });

        it("contains job, subject and process, but neither trigger nor address", async () => {
            await startIn(fixture.open());
            const text = readdirSync(fixture.folder)
                .map((name) => name + readFileSync(join(fixture.folder, name), "utf8"))
                .join("\n");
            assert.match(text, /docs\.example\.com.*se_1/);
            assert.doesNotMatch(text, /s3cret|api\.example\.com/);
        });

        it("contains no half-written files", async () => {
            await startIn(fixture.open());
            assert.deepEqual(
                readdirSync(fixture.folder).filter((name) => !name.endsWith(".json")),
                [],
            );
        });

        it("drops entries older than seven days, complete or not", async () => {
            await (await claimIn(fixture.open())).saveUnanswered();
            writeFileSync(join(fixture.folder, "damaged.json"), '{"domain":');
            writeFileSync(join(fixture.folder, "x.json.half-written.draft"), "");
            setTimes();
            fixture.clock.pass(7 * 24 * 3600_000 + 1);
            await startIn(fixture.open(), "se_new");
            assert.deepEqual(await jobsIn(fixture.open()), ["se_new"]);
            assert.equal(fixture.entryNames().length, 1);
            assert.equal(readdirSync(fixture.folder).length, 3, "the start, its job and the heartbeat");
        });

        it("drops answered starts that no run waits for any more", async () => {
            const jobs = await startIn(fixture.open());
            await jobs.remove();
            setTimes();
            fixture.clock.pass(10 * 60_000 + 1);
            const other = ["https://api.example.com", { domain: "other.example.com" }];
            await fixture.open().claim(other, "other.example.com", undefined);
            assert.equal(await fixture.open().lastStart(key), undefined);
        });

        it("keeps answered starts for ten minutes, and unanswered ones and jobs for seven days", async () => {
            const touch = async (journal: Journal) => {
                const other = ["https://api.example.com", { domain: "other.example.com" }];
                await journal.claim(other, "other.example.com", await journal.lastStart(other));
            };
            await startIn(fixture.open());
            setTimes();
            fixture.clock.pass(10 * 60_000);
            await touch(fixture.open());
            assert.equal((await fixture.open().lastStart(key))?.job?.jobId, "se_1");
            await (await claimIn(fixture.open())).saveUnanswered();
            setTimes();
            fixture.clock.pass(7 * 24 * 3600_000);
            await touch(fixture.open());
            assert.equal((await fixture.open().lastStart(key))?.isOpen, true);
            assert.deepEqual(await jobsIn(fixture.open()), ["se_1"]);
        });

        const damages: Record<string, object | string> = {
            "that is cut off": '{"subject":',
            "without content": "",
            "with a number for a date": { startedAt: 1795176000000 },
            "with another text for a date": { startedAt: "now" },
            "with a day without its time": { startedAt: "2026-11-20" },
            "with a time that does not exist": { startedAt: "2026-11-20T99:00:00Z" },
            "with a number for a delivery": { deliveredAt: 1795176000000 },
            "with a job without an id": { jobId: "" },
            "without a subject": { subject: "" },
            "with an owner without an id": { owner: { id: "", host: "here", pid: 42 } },
            "with an owner without a host": { owner: { id: "a", pid: 42 } },
            "without an owner": { owner: null },
            "with a text for a process id": { owner: { host: "here", pid: "42" } },
        };
        for (const [what, damage] of Object.entries(damages)) {
            it(`ignores an entry ${what}`, async () => {
                await startIn(fixture.open());
                for (const name of readdirSync(fixture.folder)) {
                    const whole = JSON.parse(readFileSync(join(fixture.folder, name), "utf8")) as object;
                    const text = typeof damage === "string" ? damage : JSON.stringify({ ...whole, ...damage });
                    writeFileSync(join(fixture.folder, name), text);
                }
                fixture.machine.killAll();
                assert.deepEqual(await jobsIn(fixture.open()), []);
                await startIn(fixture.open(), "se_2");
                assert.deepEqual(await jobsIn(fixture.open()), ["se_2"]);
            });
        }

        for (const [what, damage] of [
            ["key", { idempotencyKey: 7 }],
            ["outcome", { outcome: "" }],
            ["job", { jobId: 42, outcome: "started" }],
        ] as const) {
            it(`ignores a start with a damaged ${what}, and continues after it`, async () => {
                await (await claimIn(fixture.open())).begin();
                fixture.note(damage);
                fixture.machine.killAll();
                const last = await fixture.open().lastStart(key);
                const { startedAt, job, isOpen, isUnderWay } = last ?? {};
                assert.deepEqual(
                    { startedAt, job, isOpen, isUnderWay },
                    { startedAt: undefined, job: undefined, isOpen: false, isUnderWay: false },
                );
                await last?.settle();
                await startIn(fixture.open(), "se_2");
                assert.deepEqual(await jobsIn(fixture.open()), ["se_2"]);
            });
        }

        it("reports once that entries are damaged, and nothing about one that another run has removed", async () => {
            await startIn(fixture.open());
            const [name = ""] = fixture.entryNames();
            rmSync(join(fixture.folder, name));
            assert.deepEqual(await jobsIn(fixture.open()), []);
            assert.deepEqual(fixture.problems, []);
            for (const each of readdirSync(fixture.folder)) {
                writeFileSync(join(fixture.folder, each), '{"subject":');
            }
            writeFileSync(join(fixture.folder, name), "");
            const journal = fixture.open();
            await journal.lastStart(key);
            assert.deepEqual(await jobsIn(journal), []);
            assert.equal(fixture.problems.length, 1);
            assert.match(
                fixture.problems[0]!,
                /^the journal's file \w+\.start\.1\.json is damaged, so the job that it/,
            );
        });

        it("ignores an unreadable entry", async () => {
            await startIn(fixture.open());
            const [name = ""] = fixture.entryNames();
            // Replaces the entry with a folder to simulate another user's file: the specs may run as root, who can read
            // every file.
            rmSync(join(fixture.folder, name));
            mkdirSync(join(fixture.folder, name));
            assert.deepEqual(await jobsIn(fixture.open()), []);
        });

        function setTimes(): void {
            for (const name of readdirSync(fixture.folder)) {
                utimesSync(join(fixture.folder, name), fixture.clock.now() / 1000, fixture.clock.now() / 1000);
            }
        }
    });

    for (const [where, place] of [
        ["a place that cannot be written", () => join(fixture.folder, "file", "below")],
        ["no place at all", () => undefined],
    ] as const) {
        it(`reports once that it has ${where}, and keeps the entries of its own process`, async () => {
            mkdirSync(fixture.folder);
            writeFileSync(join(fixture.folder, "file"), "");
            const journal = new Journal(place(), { report: (problem) => fixture.problems.push(problem) });
            const claim = await claimIn(journal);
            assert.equal(await journal.claim(key, "docs.example.com", undefined), undefined);
            await claim.begin();
            await (await claim.saveJob("se_1")).saveDelivery();
            assert.deepEqual(await jobsIn(journal), ["se_1"]);
            await journal.forget("se_1");
            assert.deepEqual(await jobsIn(journal), []);
            assert.equal(fixture.problems.length, 1);
            assert.match(
                fixture.problems[0]!,
                /cannot be written, so killing this run would lose its jobs: .*\. Set STATIC_EXPORT_JOURNAL_DIR/,
            );
        });
    }
});

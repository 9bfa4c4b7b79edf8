import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { savedStateOf } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

describe("a StaticExportBundle after a kill", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    const killedWhile = async (inputsOfRun: BundleInputs) => {
        // A killed run leaves only the journal: its result is lost.
        await savedStateOf(fixture.create({ ...inputsOfRun, timeoutSeconds: 5 }));
        fixture.restart();
    };

    it("adopts a job that has been running for more than an hour", async () => {
        fixture.platform.jobMs = 3 * 3600_000;
        await killedWhile(inputs);
        fixture.clock.pass(2 * 3600_000);
        assert.equal((await fixture.create(inputs)).jobId, "se_1");
    });

    it("starts a new job when the export was completed more than an hour ago", async () => {
        await killedWhile(inputs);
        fixture.clock.pass(61 * 60_000);
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("starts a new job if the platform no longer has the first job", async () => {
        await killedWhile(inputs);
        fixture.platform.jobs.delete("se_1");
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("logs the age of an adopted bundle", async () => {
        await fixture.create(inputs);
        fixture.restart();
        fixture.clock.pass(60_000);
        await fixture.create(inputs);
        assert.match(
            fixture.lines.join("\n"),
            /se_1: adopted: .* for the same inputs 9\d seconds ago, at 2026-11-20T12:/,
        );
    });

    it("runs a new job for the same inputs if the previous run ended normally, even moments ago", async () => {
        await fixture.create(inputs);
        fixture.nextRun();
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("runs a new job for the same inputs while the run that received the bundle continues", async () => {
        await fixture.create(inputs);
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("starts a new job if the clock was set back and the export's age is unknown", async () => {
        await killedWhile(inputs);
        fixture.clock.pass(-24 * 3600_000);
        Object.assign(fixture.platform.jobs.get("se_1")!, { startedMs: 0, endsMs: fixture.clock.now() - 1 });
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        assert.match(fixture.lines.join("\n"), /but this machine's clock has been set back since/);
    });

    it("does not trust a completion time in the future", async () => {
        await killedWhile(inputs);
        fixture.clock.pass(61 * 60_000);
        fixture.platform.faults.get = [{ altered: { updatedAt: "2026-11-21T12:00:00Z" } }];
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("runs a new job for the same inputs after the resource has been deleted", async () => {
        const state = await fixture.create(inputs);
        await fixture.lifecycle.delete("docs.example.com", state);
        fixture.restart();
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("reports why the killed run's job failed, and starts a new job", async () => {
        fixture.platform.nextOutcome = { failed: "guides/start.md:3: no such image" };
        await killedWhile(inputs);
        fixture.clock.pass(3600_000);
        fixture.platform.nextOutcome = "completed";
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        assert.match(fixture.lines.join("\n"), /se_1: another run started .*, but it failed: guides\/start\.md:3/);
    });

    it("saves the job in the state if its status is unavailable, so that other machines find it", async () => {
        await killedWhile(inputs);
        fixture.platform.faults.get = [{ status: 401 }];
        const { state, message } = await savedStateOf(fixture.create(inputs));
        assert.equal(state.pendingJobId, "se_1");
        assert.match(message, /401 Unauthorized.* Job se_1 is saved in the stack's state/);
    });

    describe("while another run is starting an export", () => {
        const seen = async (line: RegExp) => {
            while (!line.test(fixture.lines.join("\n"))) {
                await new Promise((resolve) => setImmediate(resolve));
            }
        };
        const waiting =
            /docs\.example\.com: another run is starting an export with the same inputs: waiting for its job/;
        let first: Promise<unknown>;
        beforeEach(async () => {
            fixture.platform.hang = "start";
            first = fixture.create(inputs);
            await fixture.platform.requested("start");
        });

        it("starts a separate job if the other run's start was refused", async () => {
            fixture.platform.faults.start = [{ status: 400 }];
            const second = fixture.create(inputs);
            await seen(waiting);
            fixture.platform.release();
            await assert.rejects(first, /400 Bad Request/);
            assert.equal((await second).jobId, "se_1");
        });

        it("warns that there may be another job if the other run's start never receives a response", async () => {
            fixture.platform.faults.start = ["lost"];
            const second = fixture.create(inputs);
            await seen(waiting);
            fixture.platform.release();
            await assert.rejects(first, /may or may not have been started/);
            assert.equal((await second).jobId, "se_2");
            assert.match(fixture.lines.join("\n"), /got no response to its request, so its export may be in progress/);
        });

        it("starts nothing if it reaches its deadline first", async () => {
            await assert.rejects(
                fixture.create({ ...inputs, timeoutSeconds: 60 }),
                /timed out while another run was starting the job/,
            );
            fixture.platform.release();
            await first;
            assert.equal(fixture.platform.count("start"), 1);
        });

        it("does not wait for a start with other inputs", async () => {
            fixture.platform.hang = undefined;
            assert.equal((await fixture.create({ ...inputs, version: "2" })).jobId, "se_1");
            fixture.platform.release();
            await first;
        });
    });

    describe("on a platform that honours Idempotency-Keys", () => {
        const repeats = /got no response to its request\. Repeating it with the same Idempotency-Key/;
        beforeEach(() => {
            fixture.platform.honoursKeys = true;
        });

        it("retries a start whose response was lost, and finds its job", async () => {
            fixture.platform.faults.start = Array<"lost">(5).fill("lost");
            await assert.rejects(fixture.create(inputs), /may or may not have been started/);
            fixture.restart();
            assert.equal((await fixture.create(inputs)).jobId, "se_1");
            assert.deepEqual([...fixture.platform.jobs.keys()], ["se_1"]);
            assert.match(fixture.lines.join("\n"), repeats);
            assert.doesNotMatch(fixture.lines.join("\n"), /may be in progress/);
        });

        for (const [seconds, isRepeated] of [
            [86_400 - 61, true],
            [86_400 - 60, false],
        ] as const) {
            it(`${isRepeated ? "repeats" : "does not repeat"} a start ${seconds} s after it was sent`, async () => {
                fixture.platform.faults.start = Array<"lost">(5).fill("lost");
                await assert.rejects(fixture.create(inputs), /may or may not have been started/);
                const [, sentAt = ""] = /"startedAt":"([^"]+)"/.exec(fixture.journalText()) ?? [];
                fixture.restart();
                fixture.platform.faults.start = [];
                fixture.clock.pass(Date.parse(sentAt) + seconds * 1000 - fixture.clock.now());
                await fixture.create(inputs);
                assert.equal(repeats.test(fixture.lines.join("\n")), isRepeated);
            });
        }

        it("starts nothing while it is unknown whether the platform honours the key", async () => {
            fixture.platform.faults.start = Array<"lost">(5).fill("lost");
            await assert.rejects(fixture.create(inputs), /may or may not have been started/);
            fixture.restart();
            fixture.platform.faults.get = Array<"refused">(5).fill("refused");
            await assert.rejects(
                fixture.create(inputs),
                /^Error: Export of docs\.example\.com: an earlier run, at .*, got no response .*Nothing was started/,
            );
            fixture.restart();
            assert.equal((await fixture.create(inputs)).jobId, "se_1");
            assert.deepEqual([...fixture.platform.jobs.keys()], ["se_1"]);
        });

        it("warns and starts another job if the server no longer knows the key", async () => {
            fixture.platform.faults.start = Array<"lost">(5).fill("lost");
            await assert.rejects(fixture.create(inputs), /may or may not have been started/);
            fixture.restart();
            fixture.clock.pass(24 * 3600_000);
            assert.equal((await fixture.create(inputs)).jobId, "se_2");
            assert.match(fixture.lines.join("\n"), /so its export may be in progress\. Starting another one/);
        });
    });

    describe("if the killed run's start was never answered", () => {
        const notice = /got no response to its request, so its export may be in progress\. .*set its jobId/;

        beforeEach(async () => {
            // The engine may end before it can show this error.
            fixture.platform.faults.start = ["lost"];
            await assert.rejects(fixture.create(inputs), /may or may not have been started/);
            fixture.restart();
        });

        it("repeats the warning once before it starts another job, and not later", async () => {
            const state = await fixture.create(inputs);
            assert.match(fixture.lines[0] ?? "", notice);
            fixture.lines.length = 0;
            fixture.restart();
            await fixture.lifecycle.delete(state.domain, state);
            await fixture.create(inputs);
            assert.doesNotMatch(fixture.lines.join("\n"), notice);
        });

        it("stops repeating the warning when the program names the job", async () => {
            const named = await fixture.create({ ...inputs, jobId: "se_1" });
            await fixture.lifecycle.delete(named.domain, named);
            fixture.restart();
            await fixture.create(inputs);
            assert.doesNotMatch(fixture.lines.join("\n"), notice);
        });
    });

    it("does not warn about the start of an adopted job whose response its process could not record", async () => {
        await killedWhile(inputs);
        const [name = ""] = readdirSync(fixture.journalFolder).filter((file) => file.includes(".start."));
        const file = join(fixture.journalFolder, name);
        const { outcome, jobId, ...unanswered } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
        assert.deepEqual([outcome, jobId], ["started", "se_1"]);
        writeFileSync(file, JSON.stringify(unanswered));
        const state = await fixture.create(inputs);
        assert.equal(state.jobId, "se_1");
        await fixture.lifecycle.delete(state.domain, state);
        fixture.restart();
        await fixture.create(inputs);
        assert.doesNotMatch(fixture.lines.join("\n"), /got no response/);
    });

    it("adopts the job of another run if it lost the right to start one while it waited for its turn", async () => {
        fixture.platform.hang = "start";
        const others = ["a", "b"].map((name) => fixture.create({ ...inputs, domain: `${name}.example.com` }));
        while (fixture.platform.count("start") < LifecycleFixture.startsAtOnce) {
            await fixture.platform.requested("start");
        }
        const suspended = fixture.create(inputs);
        while (!fixture.journalText().includes('"subject":"docs.example.com"')) {
            await new Promise((resolve) => setImmediate(resolve));
        }
        fixture.restart();
        fixture.platform.hang = undefined;
        const { jobId } = await fixture.create(inputs);
        fixture.platform.release();
        assert.equal((await suspended).jobId, jobId);
        await Promise.all(others);
        assert.equal(fixture.platform.count("start"), 3);
    });

    it("exports without a journal if no journal can be written, and warns about the effect of a kill", async () => {
        rmSync(fixture.journalFolder, { recursive: true });
        writeFileSync(fixture.journalFolder, "a file where the folder should be");
        const state = await fixture.create(inputs);
        assert.ok(state.bundleUrl);
        await fixture.lifecycle.delete("docs.example.com", state);
        assert.match(fixture.lines.join("\n"), /the journal cannot be written.*Set STATIC_EXPORT_JOURNAL_DIR/);
    });
});

import assert from "node:assert/strict";
import { mock } from "node:test";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { type Attempts } from "../../../service/src/jobs/attempts.js";
import { Run, RunLostError, type RunOptions } from "../../../service/src/jobs/run.js";
import { type LogFields } from "../../../service/src/shared/logger.js";

type Tick = ReturnType<Attempts["tick"]>;

/** A run whose ticks are answered as the spec says, with timers that the spec moves. */
class RunInSpec {
    answer: () => Tick = () => Promise.resolve("wanted");
    ticks = 0;
    readonly lines: string[] = [];
    readonly fields: (LogFields | undefined)[] = [];
    readonly run: Run;

    constructor(options: Partial<RunOptions> = {}) {
        this.run = new Run({
            what: "Export job se_1",
            attempt: { jobId: "se_1", domain: "docs.example.com", attempt: 1 },
            attempts: {
                tick: () => {
                    this.ticks += 1;
                    return this.answer();
                },
            },
            onUnwanted: () => this.run.stop(),
            retryMs: 1,
            logger: {
                info: () => undefined,
                error: (line, fields) => {
                    this.lines.push(line);
                    this.fields.push(fields);
                },
            },
            ...options,
        });
    }

    /** Moves the timers, and lets what they have started end. */
    async pass(ms: number): Promise<void> {
        mock.timers.tick(ms);
        await new Promise(setImmediate);
    }
}

const away = (): Promise<never> => Promise.reject(new DatabaseUnavailableError("away"));
const lostError = { name: "RunLostError", message: "Export job se_1 was given to another worker." };

describe("The heartbeat of a run", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setInterval", "setTimeout"] }));
    afterEach(() => mock.timers.reset());

    it("is stored every ten seconds until the outcome is stored", async () => {
        const given = new RunInSpec();
        await given.pass(9999);
        assert.equal(given.ticks, 0);
        await given.pass(1);
        await given.pass(10_000);
        assert.equal(given.ticks, 2);
        given.run.end();
        await given.pass(60_000);
        assert.equal(given.ticks, 2);
        assert.deepEqual([given.lines, given.run.isLost, given.run.isUnwanted], [[], false, false]);
    });

    it("is stored once at a time", async () => {
        const given = new RunInSpec();
        const answer = Promise.withResolvers<"wanted">();
        given.answer = () => answer.promise;
        await given.pass(10_000);
        await given.pass(10_000);
        assert.equal(given.ticks, 1);
        answer.resolve("wanted");
        await given.pass(0);
        await given.pass(10_000);
        assert.equal(given.ticks, 2);
    });

    it("that fails is repeated a second later, with one line in the log, until it succeeds", async () => {
        const given = new RunInSpec({ retryMs: undefined });
        given.answer = away;
        await given.pass(10_000);
        await given.pass(999);
        assert.equal(given.ticks, 1);
        await given.pass(1);
        await given.pass(1000);
        assert.equal(given.ticks, 3);
        const line = "Export job se_1 could not store its heartbeat: DatabaseUnavailableError: away";
        assert.deepEqual(given.lines, [line]);
        assert.deepEqual(given.fields, [{ job: "se_1", domain: "docs.example.com" }]);
        given.answer = () => Promise.resolve("wanted");
        await given.pass(1000);
        await given.pass(1000);
        assert.equal(given.ticks, 4);
    });

    it("is not repeated after the outcome is stored, whenever it fails", async () => {
        const given = new RunInSpec();
        given.answer = away;
        await given.pass(10_000);
        given.run.end();
        await given.pass(60_000);
        const late = new RunInSpec();
        const answer = Promise.withResolvers<"wanted">();
        late.answer = () => answer.promise;
        await late.pass(10_000);
        late.run.end();
        answer.reject(new DatabaseUnavailableError("away"));
        await late.pass(0);
        await late.pass(60_000);
        assert.deepEqual([given.ticks, late.ticks], [1, 1]);
    });

    it("ends a run whose job another worker has", async () => {
        const given = new RunInSpec();
        given.answer = () => Promise.resolve("lost");
        await given.pass(10_000);
        assert.equal(given.run.isLost, true);
        assert.ok(given.run.signal.reason instanceof RunLostError);
        assert.equal(given.run.signal.reason.message, lostError.message);
        assert.equal(given.run.stopping.aborted, true);
        assert.equal(given.run.isStopped, false);
    });

    it("ends no run whose work has ended: its outcome may just be stored", async () => {
        const given = new RunInSpec();
        given.answer = () => Promise.resolve("lost");
        given.run.worked();
        await given.pass(10_000);
        assert.equal(given.run.isLost, false);
    });

    it("stops a run whose job nobody wants any more, and does not end it", async () => {
        const given = new RunInSpec();
        given.answer = () => Promise.resolve("unwanted");
        await given.pass(10_000);
        assert.deepEqual([given.run.isUnwanted, given.run.isStopped], [true, true]);
        assert.deepEqual([given.run.signal.aborted, given.run.isLost], [false, false]);
    });
});

describe("A write of a run", () => {
    const writes = (given: RunInSpec, write: () => Promise<boolean>) => given.run.write("store its commit", write);

    it("is enough if the run still has its job: it needs no heartbeat", async () => {
        const given = new RunInSpec();
        await writes(given, () => Promise.resolve(true));
        assert.equal(given.ticks, 0);
        given.run.end();
    });

    it("that is not accepted says whether another worker has the job, or nobody wants it", async () => {
        const lost = new RunInSpec();
        lost.answer = () => Promise.resolve("lost");
        await assert.rejects(
            writes(lost, () => Promise.resolve(false)),
            lostError,
        );
        const unwanted = new RunInSpec();
        unwanted.answer = () => Promise.resolve("unwanted");
        await assert.rejects(
            writes(unwanted, () => Promise.resolve(false)),
            { name: "AbortError" },
        );
        assert.equal(unwanted.run.isUnwanted, true);
        [lost, unwanted].forEach(({ run }) => run.end());
    });

    it("is repeated while the database is away, with one line in the log", async () => {
        const given = new RunInSpec();
        let failures = 2;
        await writes(given, () => {
            failures -= 1;
            return failures < 0 ? Promise.resolve(true) : away();
        });
        const line = "Export job se_1 tries again to store its commit: DatabaseUnavailableError: away";
        assert.deepEqual(given.lines, [line]);
        assert.deepEqual(given.fields, [{ job: "se_1", domain: "docs.example.com" }]);
        given.run.end();
    });

    it("that the database never accepts is not repeated", async () => {
        const given = new RunInSpec();
        await assert.rejects(
            writes(given, () => Promise.reject(new Error("out of range"))),
            /^Error: out of range$/,
        );
        assert.deepEqual(given.lines, []);
        given.run.end();
    });

    for (const [name, use] of Object.entries<(run: Run, step: () => Promise<boolean>) => Promise<unknown>>({
        "a write": (run, step) => run.write("write", step),
        "a read": (run, step) => run.read("read", step),
    })) {
        it(`ends with the run: ${name}, also one that waits for the database`, async () => {
            const given = new RunInSpec({ retryMs: 60_000 });
            const waiting = use(given.run, away);
            given.run.cut();
            await assert.rejects(waiting, { name: "AbortError" });
            await assert.rejects(
                use(given.run, () => Promise.resolve(true)),
                { name: "AbortError" },
            );
            given.run.end();
        });
    }
});

describe("A read of a run", () => {
    it("returns what was read, also from a run that is stopped", async () => {
        const given = new RunInSpec();
        given.run.stop();
        assert.equal(await given.run.read("read the commit", () => Promise.resolve("c1")), "c1");
        given.run.end();
    });
});

describe("A run that confirms that it has its job", () => {
    it("ticks, and throws once another worker has it, or once the run is cut", async () => {
        const given = new RunInSpec();
        await given.run.confirm();
        assert.equal(given.ticks, 1);
        given.run.cut();
        await assert.rejects(given.run.confirm(), { name: "AbortError" });
        const lost = new RunInSpec();
        lost.answer = () => Promise.resolve("lost");
        await assert.rejects(lost.run.confirm(), lostError);
        [given, lost].forEach(({ run }) => run.end());
    });
});

describe("A run that fails outside of its own promises", () => {
    it("ends with its first error, although its work still waits", async () => {
        const given = new RunInSpec();
        assert.equal(given.run.failure, undefined);
        const [first, second] = [new Error("read ECONNRESET"), new Error("write EPIPE")];
        const work = given.run.unlessFailed(new Promise(() => undefined));
        given.run.fail(first);
        given.run.fail(second);
        await assert.rejects(work, first);
        assert.equal(given.run.failure, first);
        assert.deepEqual([given.run.signal.aborted, given.run.isStopped], [true, true]);
        given.run.end();
    });

    it("resolves like its work otherwise", async () => {
        const given = new RunInSpec();
        assert.equal(await given.run.unlessFailed(Promise.resolve("done")), "done");
        given.run.end();
    });
});

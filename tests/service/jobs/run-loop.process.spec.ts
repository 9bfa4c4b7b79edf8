import assert from "node:assert/strict";
import { RunLoop } from "../../../service/src/jobs/run-loop.js";
import { writeUntilStored } from "../../../service/src/shared/write-until-stored.js";

interface Run {
    key: string;
    end: () => void;
}

/** A run loop whose runs wait until the spec ends them, and whose `begin` fails a given number of times. */
class Runs {
    readonly waiting: string[];
    readonly active: Run[] = [];
    readonly errors: string[] = [];
    failures = 0;
    readonly loop: RunLoop<string>;
    #onChange = (): void => undefined;

    constructor(keys: string[], execute?: (key: string) => Promise<void>) {
        this.waiting = keys;
        this.loop = new RunLoop<string>({
            concurrency: 2,
            retryMs: 1,
            keyOf: (key) => key,
            begin: (busy) => {
                if (this.failures > 0) {
                    this.failures -= 1;
                    throw new Error("database or disk is full");
                }
                const index = this.waiting.findIndex((key) => !busy.includes(key));
                return index < 0 ? undefined : this.waiting.splice(index, 1)[0];
            },
            runsAlone: (key) => key === "alone",
            execute: execute ?? ((key) => this.#wait(key)),
            onError: (error) => {
                this.errors.push(String(error));
                this.#onChange();
            },
        });
    }

    #wait(key: string): Promise<void> {
        return new Promise((end) => {
            this.active.push({ key, end });
            this.#onChange();
        });
    }

    async until(isReached: () => boolean): Promise<void> {
        while (!isReached()) {
            await new Promise<void>((resolve) => (this.#onChange = resolve));
        }
    }

    end(key: string): void {
        const index = this.active.findIndex((run) => run.key === key);
        this.active.splice(index, 1)[0]?.end();
    }
}

describe("A run loop", () => {
    it("starts runs up to its limit, and another run whenever one ends", async () => {
        const runs = new Runs(["a", "b", "c"]);
        runs.loop.wake();
        await runs.until(() => runs.active.length === 2);
        assert.deepEqual(runs.waiting, ["c"]);
        runs.end("a");
        await runs.until(() => runs.active.some(({ key }) => key === "c"));
    });

    it("executes two runs with the same key one after the other", async () => {
        const runs = new Runs(["a", "a", "b"]);
        runs.loop.wake();
        await runs.until(() => runs.active.length === 2);
        assert.deepEqual(
            runs.active.map(({ key }) => key),
            ["a", "b"],
        );
        runs.end("a");
        await runs.until(() => runs.active.length === 2);
        assert.deepEqual(runs.waiting, []);
    });

    it("starts nothing while an exclusive run is active", async () => {
        const runs = new Runs(["alone", "b", "c"]);
        runs.loop.wake();
        await runs.until(() => runs.active.length === 1);
        runs.loop.wake();
        await runs.loop.ended("none");
        assert.deepEqual(runs.waiting, ["b", "c"]);
        runs.end("alone");
        await runs.until(() => runs.active.length === 2);
        assert.deepEqual(runs.waiting, []);
    });

    it("continues without a new wake-up after a failure of the store, for example on a full disk", async () => {
        const runs = new Runs(["a"]);
        runs.failures = 3;
        runs.loop.wake();
        await runs.until(() => runs.active.length === 1);
        assert.deepEqual(
            runs.errors,
            Array.from({ length: 3 }, () => "Error: database or disk is full"),
        );
    });

    it("continues with the next run if a run throws", async () => {
        const ended: string[] = [];
        const runs = new Runs(["a", "b", "c"], (key) => {
            ended.push(key);
            return Promise.reject(new Error(`${key} failed`));
        });
        runs.loop.wake();
        await runs.until(() => runs.errors.length === 3);
        assert.deepEqual(ended, ["a", "b", "c"]);
    });

    it("starts nothing after being closed, and finishes closing when its runs have ended", async () => {
        const runs = new Runs(["a", "b", "c"]);
        runs.loop.wake();
        await runs.until(() => runs.active.length === 2);
        const closed = runs.loop.close();
        runs.end("a");
        runs.end("b");
        await closed;
        assert.deepEqual(runs.waiting, ["c"]);
    });
});

describe("The outcome of a run", () => {
    it("is stored as soon as the store accepts it", async () => {
        let failures = 3;
        const errors: unknown[] = [];
        const { signal } = new AbortController();
        await writeUntilStored(
            () => {
                failures -= 1;
                if (failures >= 0) {
                    throw new Error("full");
                }
            },
            { signal, retryMs: 1, onError: (error) => errors.push(error) },
        );
        assert.deepEqual([failures, errors.length], [-1, 3]);
    });

    it("is left to the next process if the service stops first", async () => {
        const stop = new AbortController();
        await writeUntilStored(() => Promise.reject(new Error("full")), {
            signal: stop.signal,
            onError: () => stop.abort(),
        });
    });
});

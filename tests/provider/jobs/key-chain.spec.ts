import assert from "node:assert/strict";
import { KeyChain } from "../../../provider/src/jobs/key-chain.js";
import type { StartIntent } from "../../../provider/src/start-keys/start-key.js";

const identity = { project: "site", stack: "dev", type: "pulumi-nodejs:dynamic:Resource", name: "docs" };
const intent: StartIntent = {
    identity,
    inputs: { domain: "docs.example.com" },
    pipelineRun: "run 1",
    after: undefined,
};

function chain({ isRandom = false, isRepetition = false } = {}): KeyChain {
    return new KeyChain(isRandom ? undefined : intent, {
        idempotencyKey: "key of the claim",
        isRepetition,
        begin: () => Promise.resolve(true),
        saveJob: () => Promise.reject(new Error("no job")),
        saveUnanswered: () => Promise.resolve(),
        release: () => Promise.resolve(),
    });
}

function keysOf(keys: KeyChain, ...refused: readonly string[]): string[] {
    const all = [keys.current];
    for (const jobId of refused) {
        keys.refuse(jobId);
        all.push(keys.current);
    }
    return all;
}

describe("The keys that a start tries", () => {
    it("differ after each refused job, and are the same on every machine", () => {
        const keys = keysOf(chain(), "job 1", "job 2", "job 3");
        assert.equal(new Set(keys).size, 4);
        assert.deepEqual(keysOf(chain(), "job 1", "job 2", "job 3"), keys);
    });

    it("depend on all jobs that were refused, not only on the last one", () => {
        assert.notEqual(keysOf(chain(), "job 1", "job 3").at(-1), keysOf(chain(), "job 2", "job 3").at(-1));
    });

    it("end with an error if the platform returns a refused job again", () => {
        const keys = chain();
        keys.refuse("job 1");
        keys.refuse("job 2");
        assert.throws(() => keys.refuse("job 1"), /returns job job 1 for different Idempotency-Keys/);
    });

    it("begin with the key of a repeated request, whose job does not change the keys after it", () => {
        const [first, ...rest] = keysOf(chain({ isRepetition: true }), "job of an earlier intent", "job 1");
        assert.equal(first, "key of the claim");
        assert.deepEqual(rest, keysOf(chain(), "job 1"));
    });

    it("are one random key if the purpose of the start is unknown", () => {
        const keys = chain({ isRandom: true });
        assert.deepEqual([keys.current, keys.areRandom], ["key of the claim", true]);
        assert.throws(() => keys.refuse("job 1"), /no job can be started/);
    });
});

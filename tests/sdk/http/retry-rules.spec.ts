import assert from "node:assert/strict";
import { type CallContext, ConnectionError, HttpError, RequestTimeoutError } from "../../../sdk/src/errors/index.js";
import {
    isTransient,
    mayHaveHadEffect,
    provablyHadNoEffect,
    retryDelayMs,
    withRetries,
} from "../../../sdk/src/http/retry.js";
import { FakeClock } from "../../fake-clock.js";
import { rejectionOf } from "../support/client.js";

const context: CallContext = { subject: "export", operation: "POST /v1/x", url: "https://api.example.com/v1/x" };
const http = (status: number, retryAfterMs?: number) => new HttpError(context, { status, retryAfterMs });
const lost = (failure: ConnectionError["failure"], neverSent: boolean) =>
    new ConnectionError(context, { failure, code: undefined, neverSent }, undefined);

describe("A failed request", () => {
    for (const [what, error, mayWorkLater, hadNoEffect, mayHaveStarted] of [
        ["407", http(407), false, false, false],
        ["408", http(408), true, false, true],
        ["409", http(409), false, false, false],
        ["429", http(429), true, true, false],
        ["499", http(499), false, false, false],
        ["500", http(500), true, false, true],
        ["599", http(599), true, false, true],
        ["600", http(600), false, false, true],
        ["a lost connection", lost("reset", false), true, false, true],
        ["a refused connection", lost("refused", true), true, true, false],
        ["an untrusted certificate", lost("tls", true), false, false, false],
        ["a server without TLS", lost("no-tls", true), false, false, false],
        ["a server without HTTP", lost("protocol", false), false, false, true],
        ["a problem of this machine", lost("local", true), false, false, false],
        ["a timeout", new RequestTimeoutError(context, 1), true, false, true],
        ["another error", new Error("boom"), false, false, true],
    ] as const) {
        it(`with ${what} ${mayWorkLater ? "may succeed later" : "is final"}`, () => {
            assert.equal(isTransient(error), mayWorkLater);
        });

        it(`with ${what} ${mayHaveStarted ? "may have started" : "has not started"} something`, () => {
            assert.deepEqual([provablyHadNoEffect(error), mayHaveHadEffect(error)], [hadNoEffect, mayHaveStarted]);
        });
    }

    it("is repeated at the time that the server sets, plus a random part of the first backoff", () => {
        const backoff = { baseMs: 400, capMs: 10_000, random: () => 0.5 };
        assert.equal(retryDelayMs(http(503, 7_000), 3, backoff), 7_200);
        assert.equal(retryDelayMs(http(503), 3, backoff), 800);
    });
});

describe("withRetries", () => {
    const fail = () => Promise.reject(new Error("last"));

    it("makes no attempt at the deadline or later", async () => {
        for (const [leftMs, attempts] of [
            [999, 1],
            [1000, 1],
            [1001, 2],
        ] as const) {
            const clock = new FakeClock();
            let count = 0;
            const run = () => {
                count += 1;
                return fail();
            };
            const deadlineMs = clock.now() + leftMs;
            await rejectionOf(withRetries(run, { clock, deadlineMs, delayMs: () => 1000 }));
            assert.equal(count, attempts, `${leftMs} ms before the deadline`);
        }
    });

    it("says for how long it has tried", async () => {
        const clock = new FakeClock();
        const elapsed: number[] = [];
        const delayMs = (_: unknown, attempt: number, elapsedMs: number) => {
            elapsed.push(elapsedMs);
            return attempt < 3 ? 1000 : undefined;
        };
        assert.equal((await rejectionOf(withRetries(fail, { clock, delayMs }))).message, "last");
        assert.deepEqual(elapsed, [0, 1000, 2000]);
    });

    it("asks for no delay after an abort, and rejects with the last error", async () => {
        const context = { clock: new FakeClock(), signal: AbortSignal.abort(), delayMs: () => assert.fail("asked") };
        assert.equal((await rejectionOf(withRetries(fail, context))).message, "last");
    });
});

import assert from "node:assert/strict";
import { type AdminClientOptions, RequestTimeoutError } from "@pulumi-static-export/sdk";
import { FakeClock } from "../../fake-clock.js";
import { createTestClient, rejectionOf } from "../support/client.js";
import { ManualTimers } from "../support/manual-timers.js";

/** Creates a client of a server that never responds, whose timers fire only in `advance`. */
function createWaitingClient(options: Partial<AdminClientOptions> = {}) {
    const timers = new ManualTimers();
    const clock = { ...new FakeClock("2026-11-20T00:00:00Z"), startTimer: timers.startTimer };
    const fetch = () => new Promise<never>(() => undefined);
    const { client } = createTestClient("https://api.example.com", {
        clock,
        fetch,
        retry: { maxAttempts: 1 },
        ...options,
    });
    return { client, clock, advance: timers.advance.bind(timers) };
}

/** Returns after how many seconds the call fails, and its error. */
async function waitForFailure(call: Promise<unknown>, advance: (ms: number) => void) {
    let error: unknown;
    const settled = call.catch((reason: unknown) => (error = reason));
    for (let seconds = 0; seconds < 600; seconds += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (error !== undefined) {
            await settled;
            return { seconds, error };
        }
        advance(1000);
    }
    throw new Error("The call still waits.");
}

describe("A request without a response", () => {
    it("times out after 30 seconds by default", async () => {
        const { client, advance } = createWaitingClient();
        const { seconds, error } = await waitForFailure(client.staticExports.get("se_42"), advance);
        assert.ok(error instanceof RequestTimeoutError);
        assert.deepEqual([seconds, error.timeoutMs, error.jobId], [30, 30_000, "se_42"]);
    });

    it("times out after the configured time", async () => {
        const { client, advance } = createWaitingClient({ requestTimeoutMs: 2000 });
        const { seconds } = await waitForFailure(client.staticExports.start({ domain: "docs.example.com" }), advance);
        assert.equal(seconds, 2);
    });

    for (const [what, leftMs, expected] of [
        ["10 seconds before the deadline", 10_000, 15],
        ["at the deadline", 0, 5],
        ["after the deadline", -60_000, 5],
    ] as const) {
        it(`times out 5 seconds after the deadline, or after it was sent, if sent ${what}`, async () => {
            const { client, clock, advance } = createWaitingClient();
            const call = client.staticExports.get("se_42", { deadlineMs: clock.now() + leftMs });
            assert.equal((await waitForFailure(call, advance)).seconds, expected);
        });
    }
});

describe("A client without retry options", () => {
    it("attempts a call five times", async () => {
        let requests = 0;
        const fetch = () => {
            requests += 1;
            return Promise.resolve(new Response("", { status: 503 }));
        };
        const { client } = createTestClient("https://api.example.com", { fetch });
        await rejectionOf(client.staticExports.get("se_42"));
        assert.equal(requests, 5);
    });

    it("doubles its backoff from half a second to 20 seconds", async () => {
        const fetch = () => Promise.resolve(new Response("", { status: 503 }));
        const retry = { maxAttempts: 8 };
        const { client, clock } = createTestClient("https://api.example.com", { fetch, retry });
        await rejectionOf(client.staticExports.get("se_42"));
        assert.deepEqual(clock.sleptMs, [500, 1000, 2000, 4000, 8000, 16_000, 20_000]);
    });

    it("asks for at most 30 seconds whether the server honours keys", async () => {
        const headers = { "retry-after": "16" };
        const fetch = () => Promise.resolve(new Response("", { status: 503, headers }));
        const { client, clock } = createTestClient("https://api.example.com", { fetch, random: () => 0 });
        await rejectionOf(client.idempotencyKeyMaxAgeMs());
        assert.deepEqual(clock.sleptMs, [16_000]);
    });
});

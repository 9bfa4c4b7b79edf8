import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { connect } from "node:net";
import { createApp } from "../../../service/src/http/app.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { surviveUncaughtErrors } from "../../../service/src/shared/unit-of-work.js";
import { OneJob } from "../jobs/support/one-job.js";

/** Calls `use` with the lines that a service would log about uncaught errors meanwhile. */
async function surviving(use: (lines: readonly string[]) => Promise<void>): Promise<void> {
    const lines: string[] = [];
    const stop = surviveUncaughtErrors({ error: (message) => void lines.push(message) });
    try {
        await use(lines);
    } finally {
        stop();
    }
}

/** Emits an error to which nobody listens, outside of the caller's promises. */
function failUnheard(message: string): void {
    setImmediate(() => void new EventEmitter().emit("error", new Error(message)));
}

describe("An error that nobody in a service has caught", () => {
    it("fails the job to whose run it belongs, also if the run would wait forever", async () => {
        await surviving(async (lines) => {
            const job = new OneJob({
                do: () => {
                    failUnheard("read ECONNRESET");
                    return new Promise(() => undefined);
                },
            });
            const outcome = await job.run();
            assert.equal(outcome.kind, "failed");
            assert.match(String(outcome.kind === "failed" && outcome.error), /read ECONNRESET/);
            assert.deepEqual(lines, [
                "An error that nobody handled has ended one job or request: Error: read ECONNRESET",
            ]);
        });
    });

    it("ends only the request to which it belongs", async () => {
        await surviving(async () => {
            const app = createApp(silentLogger);
            app.get("/breaks", async () => {
                failUnheard("write EPIPE");
                await new Promise(() => undefined);
            });
            app.get("/works", () => Promise.resolve({ ok: true }));
            const address = await app.listen({ port: 0, host: "127.0.0.1" });
            try {
                await assert.rejects(fetch(`${address}/breaks`));
                assert.equal((await fetch(`${address}/works`)).status, 200);
            } finally {
                await app.close();
            }
        });
    });

    it("ends only its connection if it belongs to no job or request", async () => {
        await surviving(async (lines) => {
            const socket = connect(1, "127.0.0.1");
            await new Promise((resolve) => socket.once("close", resolve));
            assert.equal(lines.length, 1);
            assert.match(lines[0]!, /nobody handled has ended a connection, file or program: .*ECONNREFUSED/);
        });
    });

    it("still ends the process if code outside of all jobs and requests has thrown it", async () => {
        const earlier = process.listeners("uncaughtException");
        const { promise, resolve } = Promise.withResolvers<unknown>();
        process.removeAllListeners("uncaughtException").on("uncaughtException", resolve);
        try {
            await surviving(async (lines) => {
                setImmediate(() => {
                    throw new TypeError("a mistake of the service");
                });
                assert.match(String(await promise), /a mistake of the service/);
                assert.deepEqual(lines, []);
            });
        } finally {
            process.removeAllListeners("uncaughtException");
            earlier.forEach((listener) => process.on("uncaughtException", listener));
        }
    });
});

import assert from "node:assert/strict";
import { DatabaseRefusedError, DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { parseDatabaseUrl } from "../../../service/src/database/postgres-address.js";
import { PostgresConnections } from "../../../service/src/database/postgres-connections.js";
import { untilReached } from "../../../service/src/database/postgres-schema.js";
import { waitUntilReady } from "../../../service/src/shared/wait-until-ready.js";

const { signal } = new AbortController();

/** Waits with a clock that advances by ten seconds with each attempt. */
function wait(findMissing: (attempt: number) => Promise<string | undefined>): { said: string[]; end: Promise<void> } {
    const said: string[] = [];
    let attempt = 0;
    const end = waitUntilReady(() => findMissing((attempt += 1)), {
        signal,
        logger: { info: (line: string) => void said.push(line) },
        retryMs: 0,
        now: () => attempt * 10_000,
    });
    return { said, end };
}

describe("A process that waits for its database", () => {
    it("starts when the database is there, and has said once what was missing", async () => {
        const { said, end } = wait((attempt) => Promise.resolve(attempt < 3 ? "Waiting for it." : undefined));
        await end;
        assert.deepEqual(said, ["Waiting for it."]);
    });

    it("says every 30 seconds that it still waits, and gives up after five minutes", async () => {
        const { said, end } = wait(() => Promise.resolve("Waiting for it."));
        await assert.rejects(end, { name: "ServiceOptionsError", message: "Waiting for it. Gave up after 5 minutes." });
        assert.equal(said[1], "Waiting for it. Still waiting after 40 s.");
        assert.equal(said.length, 10);
    });

    it("repeats each step of its start while the database restarts, and ends if the database refuses it", async () => {
        const said: string[] = [];
        const options = { signal, logger: { info: (line: string) => void said.push(line) }, retryMs: 0 };
        let steps = 0;
        await untilReached(() => {
            steps += 1;
            return steps < 3 ? Promise.reject(new DatabaseUnavailableError("It restarts.")) : Promise.resolve();
        }, options);
        assert.deepEqual([steps, said], [3, ["Waiting for the database: It restarts."]]);
        const refused = untilReached(() => Promise.reject(new DatabaseRefusedError("It refuses.")), options);
        await assert.rejects(refused, { name: "ServiceOptionsError", message: "It refuses." });
        const broken = untilReached(() => Promise.reject(new TypeError("A mistake.")), options);
        await assert.rejects(broken, TypeError);
    });

    it("looks for nothing once the process closes, and does not go on with what it has found meanwhile", async () => {
        for (const endsAfter of [0, 1]) {
            const closing = new AbortController();
            const looks: AbortController[] = [];
            const look = () => {
                looks.push(closing);
                closing.abort();
                return Promise.resolve(undefined);
            };
            if (endsAfter === 0) {
                closing.abort();
            }
            const end = waitUntilReady(look, { signal: closing.signal, logger: { info: () => undefined } });
            await assert.rejects(end, { name: "AbortError" });
            assert.equal(looks.length, endsAfter);
        }
    });

    it("opens no connection after it has closed them", async () => {
        const times = { connectMs: 500, statementMs: 500, answerMs: 500, silentMs: 500, closeMs: 500 };
        const connections = new PostgresConnections(parseDatabaseUrl("postgres://docs:a@127.0.0.1:9/docs"), times, 1);
        await connections.close();
        await assert.rejects(
            connections.with(() => Promise.resolve()),
            /because the process ends\.$/,
        );
    });

    it("names the host and the remedy, without the password", async () => {
        const url = "postgres://docs:s3cr3t@127.0.0.1:9/docs";
        const times = { connectMs: 500, statementMs: 500, answerMs: 500, silentMs: 500, closeMs: 500 };
        const connections = new PostgresConnections(parseDatabaseUrl(url), times, 1);
        const { end } = wait(() =>
            connections.with(() => Promise.resolve(undefined)).catch((error: Error) => error.message),
        );
        await assert.rejects(end, ({ message }: Error) => {
            assert.match(
                message,
                /^The database at 127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)\. Check its address/,
            );
            return !message.includes("s3cr3t");
        });
        await connections.close();
    });
});

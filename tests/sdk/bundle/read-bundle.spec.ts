import assert from "node:assert/strict";
import { inspect } from "node:util";
import { BundleError, ConnectionError, HttpError, readBundle, RequestTimeoutError } from "@pulumi-static-export/sdk";
import { rejectionOf } from "../support/client.js";
import { archive, query, send } from "../support/download.js";
import { loseConnectionInBody, neverAnswer, text, withServer } from "../support/http-server.js";

const options = { idleTimeoutMs: 5_000 };

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
    const collected: Buffer[] = [];
    for await (const chunk of chunks) {
        collected.push(chunk);
    }
    return Buffer.concat(collected);
}

describe("readBundle", () => {
    it("streams the archive as stored, without the Authorization header", async () => {
        await withServer([send(archive, { "content-encoding": "gzip" })], async ({ baseUrl, requests }) => {
            assert.deepEqual(await readBundle(`${baseUrl}/x${query}`, options, collect), archive);
            assert.equal(requests[0]?.headers.authorization, undefined);
        });
    });

    it("rejects with the consumer's error, and closes the connection", async () => {
        const full = new Error("the storage is full");
        await withServer([send(archive)], async ({ baseUrl }) => {
            const reading = readBundle(`${baseUrl}/x`, options, () => Promise.reject(full));
            assert.equal(await rejectionOf(reading), full);
        });
    });

    for (const [what, reply, ErrorType] of [
        ["a link that has expired", text(403, ""), HttpError],
        ["a connection lost on the way", loseConnectionInBody, ConnectionError],
        ["a storage that sends nothing", neverAnswer, RequestTimeoutError],
        ["a redirect to another scheme", text(302, "", { location: "data:,x" }), BundleError],
    ] as const) {
        it(`rejects after one attempt for ${what}, without the link's query`, async () => {
            await withServer([reply], async ({ baseUrl, requests }) => {
                const reading = readBundle(`${baseUrl}/x${query}`, { idleTimeoutMs: 1000 }, collect);
                const error = await rejectionOf(reading);
                assert.ok(error instanceof ErrorType, inspect(error));
                assert.doesNotMatch(inspect(error), /5ignature/);
                assert.equal(requests.length, 1);
            });
        });
    }

    for (const link of ["data:,5ignature", "file:///5ignature", "https://u:5ignature@b.example.com/x"]) {
        it(`refuses ${link} without a request`, async () => {
            const fetch = () => Promise.reject(new Error("no request was expected"));
            const error = await rejectionOf<BundleError>(readBundle(link, { ...options, fetch }, collect));
            assert.ok(error instanceof BundleError, inspect(error));
            assert.equal(error.problem, "unsafe-address");
            assert.doesNotMatch(inspect(error), /5ignature/);
        });
    }
});

import assert from "node:assert/strict";
import { type AdminClient, InvalidResponseError } from "@pulumi-static-export/sdk";
import { adminApiKey, createTestClient, rejectionOf } from "../support/client.js";
import { json, withServer } from "../support/http-server.js";

const escape = "\u001b[2J\u001b]0;owned\u0007";

function answered<T>(answer: object, call: (client: AdminClient) => Promise<T>, check: (result: T) => void) {
    return withServer([json(200, answer)], async ({ baseUrl }) => check(await call(createTestClient(baseUrl).client)));
}

function refused(answer: object, call: (client: AdminClient) => Promise<unknown>, message: RegExp) {
    return withServer([json(200, answer)], async ({ baseUrl }) => {
        const error = await rejectionOf<InvalidResponseError>(call(createTestClient(baseUrl).client));
        assert.ok(error instanceof InvalidResponseError, String(error));
        assert.match(error.message, message);
    });
}

const get = (client: AdminClient) => client.staticExports.get("se_42");
const bundle = (client: AdminClient) => client.staticExports.createBundle("se_42");
const bundleUrl = "https://bucket.example.com/x";

describe("AdminClient with untrusted text from a server", () => {
    for (const [what, status, shown] of [
        ["escape sequences and line breaks", `run${escape}\r\nning`, /^run \[2J \]0;owned ning$/],
        ["the key, echoed back", `running for ${adminApiKey}`, /^running for \[secret\]$/],
        ["a presigned link", "at https://b.example.com/x?signature=5ecret", /^at https:\/\/b\.example\.com\/x$/],
        ["3.9 MB", "a-".repeat(1_950_000), /^(a-){250}…$/],
    ] as const) {
        it(`sanitises a status with ${what}`, async () => {
            await answered({ status }, get, (job) => assert.match(job.status, shown));
        });
    }

    it("treats a status of only invisible characters as missing", async () => {
        await refused({ status: "\u0007\u0008" }, get, /"status" must be a string of printable characters/);
    });

    it("refuses a job id that contains the key, so that no state contains the key", async () => {
        await refused({ jobId: `se_${adminApiKey}`, status: "completed" }, get, /"jobId" must be an id/);
    });

    for (const date of [
        `2026-11-20T12:00:00Z (${escape})`,
        "Fri, 20 Nov 2026 12:00:00 GMT",
        "2026-11-20",
        `2026-11-20T12:00:00.${"0".repeat(3_900_000)}Z`,
        "1795176000000",
    ]) {
        it(`rejects the date ${JSON.stringify(date.slice(0, 40))}`, async () => {
            await answered({ status: "completed", updatedAt: date }, get, (job) => {
                assert.equal(job.updatedAt, undefined);
            });
            await answered({ bundleUrl, expiresAt: date }, bundle, ({ expiresAt }) => {
                assert.equal(expiresAt, undefined);
            });
        });
    }

    for (const date of ["2026-11-20T12:00:00Z", "2026-11-20t12:00:00.123456789z", "2026-11-20T12:00:00+01:30"]) {
        it(`accepts the date ${date}`, async () => {
            await answered({ status: "completed", updatedAt: date }, get, (job) => {
                assert.equal(job.updatedAt, date);
            });
        });
    }

    for (const link of [`${bundleUrl}\n?x`, ` ${bundleUrl}`, `${bundleUrl}?${"x".repeat(20_000)}`]) {
        it(`refuses the link ${JSON.stringify(link.slice(0, 40))}`, async () => {
            await refused({ bundleUrl: link }, bundle, /"bundleUrl" must be an http/);
        });
    }
});

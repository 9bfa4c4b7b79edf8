import assert from "node:assert/strict";
import { type AdminClient, ConnectionError, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, loseConnection, withServer } from "../support/http-server.js";

const key = {
    id: "key_1",
    name: "ci",
    scopes: ["export"],
    domains: ["docs.example.com"],
    projects: null,
    expiresAt: null,
    createdBy: "the service",
    createdAt: "2026-11-20T12:00:00Z",
    revokedAt: null,
    lastUsedAt: null,
};
const created = { key, secret: "adm_new" };
const validity = { earlierValidUntil: "2026-11-21T12:00:00Z" };

type Call = (client: AdminClient) => Promise<unknown>;
type Case = [name: string, call: Call, request: string, body: object | undefined, answer: object, result: unknown];

const repeated: Case[] = [
    ["list", ({ adminKeys }) => adminKeys.list(), "GET /v1/keys", undefined, { keys: [key] }, [key]],
    [
        "change",
        ({ adminKeys }) => adminKeys.change("key_1", { domains: null }),
        "PATCH /v1/keys/key_1",
        { domains: null },
        key,
        key,
    ],
    ["revoke", ({ adminKeys }) => adminKeys.revoke("key_1"), "DELETE /v1/keys/key_1", undefined, key, key],
];
const sentOnce: Case[] = [
    [
        "create",
        ({ adminKeys }) => adminKeys.create({ name: "ci", scopes: ["export"], domains: ["a.example"], projects: null }),
        "POST /v1/keys",
        { name: "ci", scopes: ["export"], domains: ["a.example"] },
        created,
        created,
    ],
    [
        "rotate",
        ({ adminKeys }) => adminKeys.rotate("key_1", 60),
        "POST /v1/keys/key_1/rotate?graceSeconds=60",
        undefined,
        created,
        created,
    ],
    [
        "rotateLinkSecret",
        ({ adminKeys }) => adminKeys.rotateLinkSecret(60),
        "POST /v1/link-secret/rotate?graceSeconds=60",
        undefined,
        validity,
        validity.earlierValidUntil,
    ],
    [
        "rotateLinkSecret without a time",
        ({ adminKeys }) => adminKeys.rotateLinkSecret(),
        "POST /v1/link-secret/rotate",
        undefined,
        validity,
        validity.earlierValidUntil,
    ],
];

describe("adminKeys", () => {
    for (const [name, call, request, body, answer, result] of [...repeated, ...sentOnce]) {
        it(`${name} sends ${request}`, async () => {
            await withServer([json(200, answer)], async ({ baseUrl, requests }) => {
                assert.deepEqual(await call(createTestClient(baseUrl).client), result);
                const [{ method, url, body: sent }] = requests as [(typeof requests)[0]];
                assert.equal(`${method} ${url}`, request);
                assert.equal(sent, body === undefined ? "" : JSON.stringify(body));
            });
        });
    }

    for (const [name, call, , , answer, result] of repeated) {
        it(`${name} is retried`, async () => {
            await withServer([loseConnection, json(200, answer)], async ({ baseUrl }) => {
                assert.deepEqual(await call(createTestClient(baseUrl).client), result);
            });
        });
    }

    for (const [name, call, , , answer] of sentOnce) {
        it(`${name} is not retried, because a second request would create another secret`, async () => {
            await withServer([loseConnection, json(200, answer)], async ({ baseUrl, requests }) => {
                const error = await rejectionOf(call(createTestClient(baseUrl).client));
                assert.ok(error instanceof ConnectionError);
                assert.equal(requests.length, 1);
            });
        });
    }

    it("refuses an id that would name another path, before sending a request", async () => {
        const { adminKeys } = createTestClient("http://127.0.0.1:1").client;
        assert.ok((await rejectionOf(adminKeys.revoke(".."))) instanceof InvalidSettingsError);
    });

    it("passes the server's reason on, and names the key that may administrate", async () => {
        await withServer([json(403, { error: "no right" })], async ({ baseUrl }) => {
            const { message } = await rejectionOf(createTestClient(baseUrl).client.adminKeys.list());
            assert.match(message, /^Administration: .*"no right".*Use the service's own key/);
        });
    });

    for (const abort of ["list", "create", "rotate", "rotateLinkSecret"] as const) {
        it(`${abort} rejects with the signal's reason when aborted`, async () => {
            const reason = new Error("Ctrl-C");
            const { adminKeys } = createTestClient("http://127.0.0.1:1").client;
            const options = { signal: AbortSignal.abort(reason) };
            const calls = {
                list: () => adminKeys.list(options),
                create: () => adminKeys.create({ name: "ci", scopes: [] }, options),
                rotate: () => adminKeys.rotate("key_1", 60, options),
                rotateLinkSecret: () => adminKeys.rotateLinkSecret(60, options),
            };
            assert.equal(await rejectionOf(calls[abort]()), reason);
        });
    }
});

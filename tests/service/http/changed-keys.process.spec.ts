import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type FastifyInstance } from "fastify";
import { type NewAdminKey } from "../../../service/src/keys/admin-keys.js";
import { type Answer, domain, type RunningService, withService } from "../support/running-service.js";

const all = { scopes: ["read", "export", "agent", "update", "keys"] };
const lost = { scopes: ["read", "keys"] };

interface Given {
    running: RunningService;
    /** The secret of the key that sends the requests. */
    secret: string;
    /** Another key, which only exports. */
    other: string;
    /** Changes the key. */
    change: (rights: object) => Promise<unknown>;
    revoke: () => Promise<unknown>;
    /** Sends a request, and runs `change` after it was accepted and before it does anything. */
    sendDuring: (request: () => Promise<Answer>, change: () => Promise<unknown>) => Promise<Answer>;
}

/** Runs a service in which a key sends requests. */
async function withKey(use: (given: Given) => Promise<void>): Promise<void> {
    let hold: (() => Promise<void>) | undefined;
    // Fastify announces the app before the service adds routes.
    const addHook = (message: unknown): void =>
        void (message as { fastify: FastifyInstance }).fastify.addHook("preHandler", async () => {
            const held = hold;
            hold = undefined;
            await held?.();
        });
    subscribe("fastify.initialization", addHook);
    try {
        await withService({}, async (running) => {
            const create = async (json: object) => {
                const { body, text } = await running.request("POST", "/v1/keys", { json });
                assert.ok(body["key"], text);
                return { id: (body["key"] as { id: string }).id, secret: String(body["secret"]) };
            };
            const { id, secret } = await create({ name: "team", ...all });
            const { id: other } = await create({ name: "other", scopes: ["export"] });
            const changed = async (answer: Promise<Answer>) => assert.equal((await answer).status, 200);
            await use({
                ...{ running, secret, other },
                change: (json) => changed(running.request("PATCH", `/v1/keys/${id}`, { json })),
                revoke: () => changed(running.request("DELETE", `/v1/keys/${id}`)),
                sendDuring: (request, change) => {
                    hold = async () => void (await change());
                    return request();
                },
            });
        });
    } finally {
        unsubscribe("fastify.initialization", addHook);
    }
}

describe("A key that is changed while its request is handled", () => {
    const requests: Record<string, (given: Given) => Promise<Answer>> = {
        "starts no export": ({ running, secret }) =>
            running.request("POST", "/v1/static-export/jobs", { json: { domain }, key: secret }),
        "starts no export with an Idempotency-Key": ({ running, secret }) =>
            running.request("POST", "/v1/static-export/jobs", {
                ...{ json: { domain }, key: secret },
                headers: { "idempotency-key": "1" },
            }),
        "creates no key": ({ running, secret }) =>
            running.request("POST", "/v1/keys", { json: { name: "hidden", scopes: ["export"] }, key: secret }),
        "gets no new secret of another key": ({ running, secret, other }) =>
            running.request("POST", `/v1/keys/${other}/rotate`, { key: secret }),
        "gives no rights to another key": ({ running, secret, other }) =>
            running.request("PATCH", `/v1/keys/${other}`, { json: { scopes: ["export", "update"] }, key: secret }),
    };

    for (const [what, request] of Object.entries(requests)) {
        it(`${what} with rights that it has lost, or after it was revoked`, async () => {
            await withKey(async (given) => {
                const { running, change, revoke, sendDuring } = given;
                const state = async () => {
                    const { body } = await running.request("GET", "/v1/keys");
                    const known = (body["keys"] as NewAdminKey[]).map(({ name, scopes }) => [name, scopes]);
                    const jobs = await running.request("GET", "/v1/static-export/jobs");
                    return { keys: known.filter(([name]) => name !== "team"), jobs: jobs.body["jobs"] };
                };
                const before = await state();
                const refused = await sendDuring(
                    () => request(given),
                    () => change(lost),
                );
                assert.equal(refused.status, 403, refused.text);
                assert.equal(
                    refused.body["error"],
                    "Admin API key team lost rights while this request was handled: send it again if the key may " +
                        "still do this.",
                );
                await change(all);
                const revoked = await sendDuring(() => request(given), revoke);
                assert.equal(revoked.status, 401, revoked.text);
                assert.equal(revoked.body["error"], "Admin API key team was revoked while this request was handled.");
                assert.deepEqual(await state(), before);
            });
        });
    }

    it("fulfils the request if it has gained rights", async () => {
        await withKey(async (given) => {
            const { change, sendDuring } = given;
            for (const request of Object.values(requests)) {
                await change({ scopes: ["export", "update", "keys"] });
                const answer = await sendDuring(
                    () => request(given),
                    () => change(all),
                );
                assert.ok(answer.status < 300, answer.text);
            }
        });
    });
});

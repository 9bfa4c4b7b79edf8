import assert from "node:assert/strict";
import { AgentFixture } from "../agent-job/agent-fixture.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";

/** The answers of gateways for a path without a backend, or while a backend is down. */
const gateways = {
    "an ingress without a backend": "default backend - 404",
    "an empty answer": "",
    Kong: '{"message":"no Route matched with those values"}',
    Tyk: '{"error": "Not Found"}',
    Spring: '{"timestamp":"2026-11-20T12:00:00Z","status":404,"error":"no handler","path":"/v1/static-export/jobs"}',
    "an HTML page": "<!doctype html><title>404</title>",
};
const inputs = { domain: "docs.example.com", __provider: "shim" };

describe("A gateway's 404", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => (fixture = new LifecycleFixture()));
    afterEach(() => fixture.dispose());

    for (const [name, body] of Object.entries(gateways)) {
        it(`is an error of a refresh, and removes nothing from the state: ${name}`, async () => {
            const state = await fixture.create(inputs);
            fixture.platform.faults.get = [
                { status: 404, body },
                { status: 404, body },
            ];
            await assert.rejects(fixture.lifecycle.read("docs.example.com", state), ({ message }: Error) => {
                assert.match(message, /404.*it may come from a gateway and proves nothing: check baseUrl/);
                return true;
            });
        });

        it(`does not end the wait for a job that still runs: ${name}`, async () => {
            fixture.platform.faults.get = [undefined, ...Array.from({ length: 5 }, () => ({ status: 404, body }))];
            assert.equal((await fixture.create(inputs)).jobId, "se_1");
            assert.equal(fixture.platform.count("start"), 1);
        });
    }

    it("that stays ends the wait, and the next run resumes the job", async () => {
        fixture.platform.faults.get = Array.from({ length: 10 }, () => ({
            status: 404,
            body: "default backend - 404",
        }));
        await assert.rejects(
            fixture.create(inputs),
            /404.*is saved in the stack's state: the next `pulumi up` resumes it/,
        );
    });

    it("does not start another export when a link is renewed", async () => {
        const state = await fixture.create(inputs);
        fixture.clock.pass(7200_000);
        fixture.platform.faults.bundle = [{ status: 404, body: "default backend - 404" }];
        await assert.rejects(fixture.update(state, inputs), /404.*a gateway/);
        assert.equal(fixture.platform.count("start"), 1);
    });

    it("is an error of an agent job's refresh, too", async () => {
        const agents = new AgentFixture();
        try {
            const state = { projectId: "docs", prompt: "Fix typos.", jobId: "aj_1", pendingJobId: "aj_1" };
            agents.agents.faults.get = [{ status: 404, body: "" }];
            await assert.rejects(agents.lifecycle.read("docs", state), ({ message }: Error) =>
                /it may come from a gateway/.test(message),
            );
        } finally {
            agents.dispose();
        }
    });
});

describe("The platform's own 404", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => (fixture = new LifecycleFixture()));
    afterEach(() => fixture.dispose());

    const missing = { status: 404, error: "no such job" };

    it("removes a bundle from the state only if the platform repeats it after a while", async () => {
        const state = await fixture.create(inputs);
        const askedAtMs = fixture.clock.now();
        fixture.platform.faults.get = [missing];
        assert.equal((await fixture.lifecycle.read("docs.example.com", state)).id, "docs.example.com");
        assert.ok(fixture.clock.now() - askedAtMs >= 5000);
        fixture.platform.faults.get = [missing, missing];
        assert.equal((await fixture.lifecycle.read("docs.example.com", state)).id, "");
    });

    it("ends a wait only if the platform repeats it", async () => {
        fixture.platform.faults.get = [undefined, missing];
        assert.equal((await fixture.create(inputs)).jobId, "se_1");
        fixture.nextRun();
        fixture.platform.faults.get = [undefined, missing, missing];
        await assert.rejects(fixture.create({ ...inputs, version: "2" }), /404.*starts a new/s);
    });

    it("of the self-hosted service must name the service", async () => {
        const state = await fixture.create(inputs);
        fixture.platform.isSelfHosted = true;
        fixture.platform.faults.get = [undefined];
        await fixture.lifecycle.read("docs.example.com", state);
        fixture.platform.isSelfHosted = false;
        fixture.platform.faults.get = [missing, missing];
        await assert.rejects(fixture.lifecycle.read("docs.example.com", state), ({ message }: Error) =>
            /it may come from a gateway/.test(message),
        );
    });
});

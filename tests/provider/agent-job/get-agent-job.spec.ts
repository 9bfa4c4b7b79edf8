import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { getAgentJob, getAgentJobOutput } from "pulumi-static-export";

const job = {
    id: "aj_1",
    source: { repository: "https://git.example.com/docs", ref: null },
    model: "m",
    prLink: null,
    createdAt: "2026-11-20T12:00:00Z",
    archivedAt: null,
};

describe("getAgentJob", () => {
    let server: Server;
    /** The requested paths. */
    let requests: string[];
    /** The statuses of the responses in order; the last status is repeated. */
    let statuses: string[];

    const mocks = { newResource: () => ({ id: "", state: {} }), call: () => ({}) };
    before(() => pulumi.runtime.setMocks(mocks, "project", "stack", true));
    after(() => pulumi.runtime.setMocks(mocks, "project", "stack", false));
    beforeEach(async () => {
        requests = [];
        statuses = ["completed"];
        server = createServer((request, response) => {
            requests.push(request.url ?? "");
            const status = statuses.length > 1 ? statuses.shift() : statuses[0];
            response.setHeader("content-type", "application/json").end(JSON.stringify({ ...job, status }));
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        pulumi.runtime.setAllConfig(
            {
                "static-export:baseUrl": `http://127.0.0.1:${port}`,
                "static-export:adminApiKey": "test_0123456789abcdef",
            },
            [],
        );
    });
    afterEach(() => {
        server.close();
        pulumi.runtime.setAllConfig({}, []);
    });

    it("reads a job once, even during a preview, and returns undefined instead of null", async () => {
        statuses = ["active", "completed"];
        const read = await getAgentJob({ projectId: "docs", id: "aj_1" });
        assert.deepEqual(read, {
            id: "aj_1",
            status: "active",
            prLink: undefined,
            sourceRepository: "https://git.example.com/docs",
            sourceRef: undefined,
            model: "m",
            createdAt: "2026-11-20T12:00:00Z",
            archivedAt: undefined,
        });
        assert.deepEqual(requests, ["/v2/agent/docs/job/aj_1"]);
    });

    it("waits for the job to end if waitUntilDone is set", async () => {
        statuses = ["active", "failed"];
        const { status } = await getAgentJob({ projectId: "docs", id: "aj_1", waitUntilDone: true });
        assert.equal(status, "failed");
        assert.equal(requests.length, 2);
    });

    it("makes no request while an input is unknown, and reads the job when all inputs are known", async () => {
        const unknown = pulumi.output(pulumi.unknown) as pulumi.Output<string>;
        for (const args of [
            { projectId: "docs", id: unknown },
            { projectId: unknown, id: "aj_1" },
            { projectId: "docs", id: "aj_1", waitUntilDone: unknown.apply(Boolean) },
        ]) {
            const output = getAgentJobOutput(args);
            assert.equal(await isKnown(output), false);
        }
        assert.deepEqual(requests, []);
        const output = getAgentJobOutput({ projectId: pulumi.output("docs"), id: pulumi.output("aj_1") });
        assert.equal(await isKnown(output), true);
        assert.deepEqual(requests, ["/v2/agent/docs/job/aj_1"]);
    });

    it("waits for the end of a job whose inputs are outputs, if they say so", async () => {
        statuses = ["active", "completed"];
        const output = getAgentJobOutput({
            projectId: pulumi.output("docs"),
            id: pulumi.output("aj_1"),
            waitUntilDone: pulumi.output(true),
        });
        assert.equal(await isKnown(output), true);
        assert.equal(requests.length, 2);
    });

    it("says which setting is missing", async () => {
        pulumi.runtime.setAllConfig({ "static-export:adminApiKey": "test_0123456789abcdef" }, []);
        await assert.rejects(getAgentJob({ projectId: "docs", id: "aj_1" }), /static-export:baseUrl/);
        assert.deepEqual(requests, []);
    });
});

function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
    return (output as unknown as { isKnown: Promise<boolean> }).isKnown;
}

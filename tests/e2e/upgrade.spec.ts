import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

/**
 * What `pulumi stack export` gave with the first release. JOB_ID stands where its job's id stood, and BASE_URL where the
 * platform's address stood: a refresh takes the provider's configuration from the state.
 */
const firstRelease = new URL("./fixtures/state-0.1.0.json", import.meta.url);

const program = (version: string) => `new StaticExportBundle("docs", { domain: "${domain}", version: "${version}" });\n`;

describe("a state that the first release wrote", () => {
    let platform: Platform;
    let stack: EngineStack;
    let jobId: string;

    beforeEach(async () => {
        platform = await Platform.start();
        const client = new AdminClient({ baseUrl: platform.service.url, adminApiKey });
        ({ jobId } = await client.staticExports.start({ domain, version: "1" }));
        await client.staticExports.pollUntilDone(jobId);
        client.close();
        stack = await EngineStack.create({
            program: program("1"),
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        const state = join(stack.folder, "imported.json");
        const text = await readFile(firstRelease, "utf8");
        await writeFile(state, text.replaceAll("JOB_ID", jobId).replaceAll("BASE_URL", platform.service.url));
        await stack.succeed("stack", "import", "--file", state);
        platform.requests.length = 0;
    });

    afterEach(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("is read by the current one", async () => {
        await stack.succeed("refresh", "--yes", "--skip-preview");
        assert.deepEqual(platform.requests.map(({ operation }) => operation), ["get"]);
    });

    it("gets a fresh link, because its own has long expired, and is no diff after that", async () => {
        await stack.up();
        assert.deepEqual(platform.requests.map(({ operation }) => operation), ["bundle"]);
        assert.equal((await stack.resource())?.outputs.jobId, jobId);
        await stack.succeed("preview", "--expect-no-changes");
    });

    it("is updated by the current one", async () => {
        await stack.writeProgram(program("2"));
        await stack.up();
        assert.notEqual((await stack.resource())?.outputs.jobId, jobId);
        assert.equal(platform.count("start"), 1);
    });

    it("is deleted by the current one", async () => {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.equal(await stack.resource(), undefined);
        assert.deepEqual(platform.requests, []);
    });
});

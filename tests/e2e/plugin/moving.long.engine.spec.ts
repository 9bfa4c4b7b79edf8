import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { AdminClient } from "@pulumi-static-export/sdk";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { PluginFolder } from "./support/plugin-folder.js";
import { yamlProgram } from "./support/yaml-program.js";

const backProgram = `
new StaticExportBundle("docs", { domain: "${domain}", version: "1" }, {
    aliases: [{ type: "static-export:index:StaticExportBundle" }],
});
`;
const jobBackProgram = `
import { StaticExportJob } from "pulumi-static-export";
new StaticExportJob("job", { domain: "other.example.com" }, {
    aliases: [{ type: "static-export:index:StaticExportJob" }],
});
`;

describe("a stack that moves between the dynamic resource and the plugin", () => {
    let platform: Platform;
    let plugin: PluginFolder;
    let stack: EngineStack;

    beforeEach(async () => {
        platform = await Platform.start();
        plugin = await PluginFolder.create();
        stack = await EngineStack.create({
            program: backProgram,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            pathFolders: plugin.pathFolders,
        });
    });
    afterEach(async () => {
        await stack.remove();
        await plugin.remove();
        await platform.stop();
    });

    it("keeps the state of an earlier build in both directions without a request, and can be destroyed", async () => {
        const client = new AdminClient({ baseUrl: platform.service.url, adminApiKey });
        const { jobId } = await client.staticExports.start({ domain, version: "1" });
        await client.staticExports.pollUntilDone(jobId);
        client.close();
        const fixture = await readFile(new URL("../fixtures/state-0.1.0.json", import.meta.url), "utf8");
        const state = fixture
            .replaceAll("JOB_ID", jobId)
            .replaceAll("BASE_URL", platform.service.url)
            .replace(/"expiresAt": "[^"]+"/g, '"expiresAt": "2099-01-01T00:00:00Z"');
        await stack.writeFiles({ "state.json": state });
        await stack.succeed("stack", "import", "--file", "state.json");
        platform.requests.length = 0;

        const nodeProject = await readFile(`${stack.folder}/Pulumi.yaml`, "utf8");
        await stack.writeFiles(yamlProgram({ domain, version: "1" }));
        await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.match(JSON.stringify(await stack.resource()), /"type":"static-export:index:StaticExportBundle"/);

        await stack.writeFiles({ "Pulumi.yaml": nodeProject });
        await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.match(JSON.stringify(await stack.resource()), /"type":"pulumi-nodejs:dynamic/);
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(platform.requests, []);
    });

    it("runs no job when the plugin's resources become dynamic, and can be refreshed and destroyed", async () => {
        const nodeProject = await readFile(`${stack.folder}/Pulumi.yaml`, "utf8");
        const job = { type: "static-export:StaticExportJob", properties: { domain: "other.example.com" } };
        await stack.writeFiles(yamlProgram({ domain, version: "1" }, { job }));
        await stack.up();
        await stack.writeFiles({ "Pulumi.yaml": nodeProject });
        await stack.writeProgram(backProgram + jobBackProgram);
        platform.requests.length = 0;
        await stack.up();
        assert.deepEqual(platform.requests, []);
        await stack.succeed("preview", "--expect-no-changes");
        await stack.succeed("refresh", "--yes", "--skip-preview");
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.equal(platform.count("start"), 0);
    });
});

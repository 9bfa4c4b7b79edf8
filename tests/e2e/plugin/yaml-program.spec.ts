import assert from "node:assert/strict";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { PluginFolder } from "./support/plugin-folder.js";
import { yamlProgram } from "./support/yaml-program.js";

/** One stack for all cases: each leaves a site that is deployed and unchanged. */
describe("the plugin in a YAML program on the real engine", () => {
    let platform: Platform;
    let plugin: PluginFolder;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        plugin = await PluginFolder.create();
        stack = await EngineStack.create({
            program: yamlProgram({ domain, version: "1" }),
            pathFolders: plugin.pathFolders,
        });
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
        await platform.stop();
    });
    beforeEach(() => void platform.requests.splice(0));

    const declare = (inputs: Record<string, unknown>, resources?: Record<string, unknown>) =>
        stack.writeFiles(yamlProgram(inputs, resources));

    it("previews without a key, an address or a request: what is known is shown, and the rest is unknown", async () => {
        const { output } = await stack.succeed("preview", "--diff");
        assert.match(output, /domain\s*: "docs\.example\.com"/);
        assert.match(output, /version\s*: "1"/);
        assert.deepEqual(platform.requests, []);
    });

    it("runs one job on create, and shows its progress on the resource", async () => {
        await stack.succeed("config", "set", "static-export:baseUrl", platform.service.url);
        await stack.succeed("config", "set", "--secret", "static-export:adminApiKey", adminApiKey);
        const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--json");
        assert.equal(platform.count("start"), 1);
        assert.equal(platform.count("bundle"), 1);
        const urn = '"urn:pulumi:dev::e2e::static-export:index:StaticExportBundle::docs"';
        const lines = output.split("\n").filter((line) => line.includes("export started for version 1"));
        assert.ok(
            lines.some((line) => line.includes(urn)),
            output,
        );
        assert.equal(await stack.output("pageCount"), 2);
        const response = await fetch((await stack.output("bundleUrl")) as string);
        assert.equal(response.status, 200);
    });

    it("makes no request when nothing has changed", async () => {
        const { output } = await stack.succeed("up", "--yes", "--expect-no-changes");
        assert.match(output, /2 unchanged/);
        assert.deepEqual(platform.requests, []);
    });

    it("keeps the key and the link out of everything that is written", async () => {
        const written = await stack.writtenText();
        const link = (await stack.output("bundleUrl")) as string;
        assert.equal(written.includes(adminApiKey), false);
        assert.equal(written.includes(link), false);
    });

    it("shows which input causes an update, and runs one job for it", async () => {
        await declare({ domain, version: "2", triggers: { commit: "c0ffee" } });
        const preview = await stack.succeed("preview", "--diff");
        assert.match(preview.output, /~ version\s*: "1" => "2"/);
        assert.match(preview.output, /\+ triggers/);
        assert.deepEqual(platform.requests, []);
        const { output } = await stack.up();
        assert.match(output, /~ 1 updated/);
        assert.equal(platform.count("start"), 1);
    });

    it("replaces the resource when the domain changes", async () => {
        await declare({ domain: "other.example.com", version: "2" });
        const preview = await stack.succeed("preview", "--diff");
        assert.match(preview.output, /\+-.*replace[\s\S]*domain\s*: "docs\.example\.com" => "other\.example\.com"/);
        assert.match((await stack.up()).output, /\+-1 replaced/);
        assert.equal(platform.count("start"), 1);
        assert.equal((await stack.resource())?.id, "other.example.com");
    });

    it("renews a link in place without an export, and shows that only the link changes", async () => {
        await declare({ domain: "other.example.com", version: "2", renewBeforeSeconds: 604_800 });
        const link = await stack.output("bundleUrl");
        await expireLink();
        const preview = await stack.succeed("preview", "--diff");
        assert.match(
            preview.output,
            /its link expires at 2026-01-01T00:00:00Z: this update renews it and exports nothing/,
        );
        assert.doesNotMatch(preview.output, /[-+~] (bundleUrl|jobId|sizeBytes|version)/);
        assert.match((await stack.up()).output, /link renewed, nothing exported/);
        assert.deepEqual([platform.count("start"), platform.count("bundle")], [0, 1]);
        assert.notEqual(await stack.output("bundleUrl"), link);
    });

    it("uses each provider's own platform where a program has several", async () => {
        const other = await Platform.start();
        try {
            await declare(
                { domain: "other.example.com", version: "2" },
                {
                    elsewhere: {
                        type: "pulumi:providers:static-export",
                        properties: { baseUrl: other.service.url, adminApiKey: { "fn::secret": adminApiKey } },
                    },
                    second: {
                        type: "static-export:StaticExportBundle",
                        properties: { domain },
                        options: { provider: "${elsewhere}" },
                    },
                },
            );
            await stack.up();
            assert.deepEqual([platform.count("start"), other.count("start")], [0, 1]);
            assert.equal((await stack.succeed("stack", "export")).output.includes(adminApiKey), false);
            await declare({ domain: "other.example.com", version: "2" });
            await stack.up();
        } finally {
            await other.stop();
        }
    });

    it("imports an export that was made elsewhere, with code that has no diff", async () => {
        const jobId = (await stack.output("jobId")) as string;
        const { output } = await stack.succeed(
            ...["import", "--yes", "--protect=false", "--skip-preview"],
            ...["static-export:index:StaticExportBundle", "imported", `other.example.com/${jobId}`],
        );
        assert.match(output, /type: static-export:StaticExportBundle[\s\S]*domain: other\.example\.com/);
        assert.equal(platform.count("start"), 0);
        await declare(
            { domain: "other.example.com", version: "2" },
            { imported: { type: "static-export:StaticExportBundle", properties: { domain: "other.example.com" } } },
        );
        await stack.succeed("up", "--yes", "--expect-no-changes");
        await declare({ domain: "other.example.com", version: "2" });
        await stack.up();
    });

    it("refuses a wrong input before anything is requested, and names the property", async () => {
        await declare({ domain: "https://docs.example.com/" });
        const { exitCode, output } = await stack.run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain.*must be a host name without a scheme/s);
        assert.deepEqual(platform.requests, []);
        await declare({ domain: "other.example.com", version: "2" });
    });

    it("keeps the state as it is on refresh, and removes the resource only when the platform no longer has it", async () => {
        const { output } = await stack.succeed("refresh", "--yes", "--skip-preview");
        assert.match(output, /2 unchanged/);
        assert.deepEqual([platform.count("get"), platform.requests.length], [1, 1]);
    });

    it("forgets the export on destroy, without a key or a request", async () => {
        await stack.succeed("config", "rm", "static-export:adminApiKey");
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.deepEqual(platform.requests, []);
    });

    /** Sets the expiry in the state into the past, as time would. */
    async function expireLink(): Promise<void> {
        const { stdout } = await stack.succeed("stack", "export");
        const past = stdout.replace(/"expiresAt": "[^"]+"/g, '"expiresAt": "2026-01-01T00:00:00Z"');
        await stack.writeFiles({ "past.json": past });
        await stack.succeed("stack", "import", "--file", "past.json");
    }
});

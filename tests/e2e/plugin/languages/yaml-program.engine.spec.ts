import assert from "node:assert/strict";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { describeProgram } from "../support/describe-program.js";
import { PluginFolder } from "../support/plugin-folder.js";
import { yaml } from "../support/program-languages.js";
import { yamlProgram } from "../support/yaml-program.js";
import { itInLong } from "../../../scale.js";

describeProgram(yaml);

/** One stack serves all cases: after each case, the site is deployed and unchanged. */
describe("the plugin on the real engine, in a YAML program,", () => {
    let platform: Platform;
    let plugin: PluginFolder;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        plugin = await PluginFolder.create();
        stack = await EngineStack.create({
            program: yamlProgram({ domain, version: "1", triggers: { commit: "c0ffee" } }),
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
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

    it("shows a job's progress on the resource", async () => {
        const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--json");
        const urn = '"urn:pulumi:dev::e2e::static-export:index:StaticExportBundle::docs"';
        const lines = output.split("\n").filter((line) => line.includes("export started for version 1"));
        assert.ok(
            lines.some((line) => line.includes(urn)),
            output,
        );
    });

    it("shows the inputs that cause an update, and runs one job for the update", async () => {
        await declare({ domain, version: "2" });
        const preview = await stack.succeed("preview", "--diff");
        assert.match(preview.output, /~ version\s*: "1" => "2"/);
        assert.match(preview.output, /- triggers/);
        assert.deepEqual(platform.requests, []);
        const { output } = await stack.up();
        assert.match(output, /~ 1 updated/);
        assert.equal(platform.count("start"), 1);
    });

    itInLong("renews a link in place without an export, and shows that only the link changes", async () => {
        await declare({ domain, version: "2", renewBeforeSeconds: 604_800 });
        const link = await stack.output("bundleUrl");
        await expireLink();
        const preview = await stack.succeed("preview", "--diff");
        assert.match(
            preview.output,
            /its link expires at 2026-01-01T00:00:00Z: an update renews it and exports nothing/,
        );
        assert.doesNotMatch(preview.output, /[-+~] (bundleUrl|jobId|sizeBytes|version)/);
        assert.match((await stack.up()).output, /link renewed, nothing exported/);
        assert.deepEqual([platform.count("start"), platform.count("bundle")], [0, 1]);
        assert.notEqual(await stack.output("bundleUrl"), link);
    });

    itInLong("uses each provider's own platform if a program has several", async () => {
        const other = await Platform.start();
        try {
            await declare(
                { domain, version: "2" },
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
            await declare({ domain, version: "2" });
            await stack.up();
        } finally {
            await other.stop();
        }
    });

    itInLong("imports an export that was created elsewhere, and then shows no diff", async () => {
        const jobId = (await stack.output("jobId")) as string;
        const { output } = await stack.succeed(
            ...["import", "--yes", "--protect=false", "--skip-preview"],
            ...["static-export:index:StaticExportBundle", "imported", `${domain}/${jobId}`],
        );
        assert.match(output, /type: static-export:StaticExportBundle[\s\S]*domain: docs\.example\.com/);
        assert.equal(platform.count("start"), 0);
        await declare(
            { domain, version: "2" },
            { imported: { type: "static-export:StaticExportBundle", properties: { domain } } },
        );
        await stack.succeed("up", "--yes", "--expect-no-changes");
        await declare({ domain, version: "2" });
        await stack.up();
    });

    itInLong("imports an export with a version, and uses the program's inputs as the export's inputs", async () => {
        const jobId = (await stack.output("jobId")) as string;
        const imported = {
            type: "static-export:StaticExportBundle",
            properties: { domain, version: "2", paths: ["/start"], triggers: { "fn::stringAsset": "c0ffee" } },
            options: { import: `${domain}/${jobId}` },
        };
        await declare({ domain, version: "2" }, { imported });
        const preview = await stack.succeed("preview", "--diff");
        assert.match(preview.output, new RegExp(`job ${jobId} is imported: an update stores the program's inputs`));
        await stack.up();
        await stack.up("--expect-no-changes");
        assert.equal(platform.count("start"), 0);
        Object.assign(imported.properties, { version: "3" });
        await declare({ domain, version: "2" }, { imported });
        await stack.up();
        assert.equal(platform.count("start"), 1);
        await declare({ domain, version: "2" });
        await stack.up();
    });

    itInLong("reads the state of a newer version, and runs one job for a change", async () => {
        const { stdout } = await stack.succeed("stack", "export");
        const state = JSON.parse(stdout) as {
            deployment: { resources: { type: string; inputs: object; outputs: object }[] };
        };
        for (const { type, inputs, outputs } of state.deployment.resources) {
            if (type === "pulumi:providers:static-export") {
                [inputs, outputs].forEach((each) => Object.assign(each, { version: "99.0.0" }));
            } else if (type.startsWith("static-export:")) {
                Object.assign(inputs, { newInput: ["anything"] });
                Object.assign(outputs, { newInput: ["anything"], newOutput: { nested: true } });
            }
        }
        await stack.writeFiles({ "newer.json": JSON.stringify(state) });
        await stack.succeed("stack", "import", "--file", "newer.json");
        await stack.up("--expect-no-changes");
        assert.deepEqual(platform.requests, []);
        await declare({ domain, version: "3" });
        await stack.up();
        assert.equal(platform.count("start"), 1);
        await declare({ domain, version: "2" });
        await stack.up();
    });

    itInLong("refuses an invalid input before any request, and names the property", async () => {
        await declare({ domain: "https://docs.example.com/" });
        const { exitCode, output } = await stack.run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain.*must be a host name without a scheme/s);
        assert.deepEqual(platform.requests, []);
        await declare({ domain, version: "2" });
    });

    itInLong(
        "keeps the state on refresh, and removes the resource only if the platform no longer has its job",
        async () => {
            const { output } = await stack.succeed("refresh", "--yes", "--skip-preview");
            assert.match(output, /2 unchanged/);
            assert.deepEqual([platform.count("get"), platform.requests.length], [1, 1]);
        },
    );

    /** Moves the expiry in the state into the past, as if time had passed. */
    async function expireLink(): Promise<void> {
        const { stdout } = await stack.succeed("stack", "export");
        const past = stdout.replace(/"expiresAt": "[^"]+"/g, '"expiresAt": "2026-01-01T00:00:00Z"');
        await stack.writeFiles({ "past.json": past });
        await stack.succeed("stack", "import", "--file", "past.json");
    }
});

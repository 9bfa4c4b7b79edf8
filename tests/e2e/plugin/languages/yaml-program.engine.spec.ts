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
        const lines = output.split("\n").filter((line) => line.includes("export started"));
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
});

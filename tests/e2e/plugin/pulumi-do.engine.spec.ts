import assert from "node:assert/strict";
import { buildVersion } from "../../../dev/release/names/build-version.js";
import { codeBlocks } from "../../docs/support/documents.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, Platform } from "../support/platform.js";
import { PluginFolder } from "./support/plugin-folder.js";

const page = "docs/guides/pulumi-features.md";

describe("pulumi do with the plugin, as in the guide,", () => {
    let platform: Platform;
    let plugin: PluginFolder;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        plugin = await PluginFolder.create();
        stack = await EngineStack.create({
            program: { "Pulumi.yaml": "name: docs\nruntime: yaml\n" },
            env: { STATIC_EXPORT_BASE_URL: platform.service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey },
        });
        await stack.succeed("plugin", "install", "resource", "static-export", buildVersion(), "--file", plugin.folder);
    });
    after(async () => {
        await stack.remove();
        await plugin.remove();
        await platform.stop();
    });

    /** Runs a command from the guide. */
    const follow = async (command = "") => (await stack.succeed(...command.split(" ").slice(1))).output;

    it("exports without a program, shows no secret, and reads the export again", async () => {
        const [create, read] = codeBlocks(page).filter(({ text }) => text.startsWith("pulumi do "));
        const started = await follow(create?.text);
        assert.match(started, /bundle ready, 2 pages/);
        assert.match(started, /bundleUrl *: \[secret\]/);
        assert.equal(platform.count("start"), 1);
        const [jobId = ""] = /\bse_[\da-f]+/.exec(started) ?? [];
        const found = await follow(read?.text.replace("se_42", jobId));
        assert.match(found, new RegExp(jobId));
        assert.equal(platform.count("start"), 1);
    });
});

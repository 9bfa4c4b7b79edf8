import assert from "node:assert/strict";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { guideProgram } from "./guide-program.js";
import { PluginFolder } from "./plugin-folder.js";
import type { ProgramLanguage } from "./program-languages.js";

/**
 * Declares the steps of the guide's program, which are the same in every language. One stack serves all cases: after
 * each case, the site is unchanged.
 */
export function describeProgram(language: ProgramLanguage): void {
    describe(`the guide's program with the plugin on the real engine: ${language.name}`, () => {
        let platform: Platform;
        let plugin: PluginFolder;
        let stack: EngineStack;

        before(async () => {
            platform = await Platform.start();
            plugin = await PluginFolder.create();
            const { pathFolders = [], env = {}, addPackage } = await language.prepare(plugin);
            stack = await EngineStack.create({
                program: guideProgram(language.name, { domain, version: "1" }),
                pathFolders: [...plugin.pathFolders, ...pathFolders],
                env,
            });
            await addPackage?.(stack.folder);
        });
        after(async () => {
            await stack.remove();
            await plugin.remove();
            await platform.stop();
        });
        beforeEach(() => void platform.requests.splice(0));

        const declare = (inputs: { domain: string; version: string }) =>
            stack.writeFiles(guideProgram(language.name, inputs));

        it("previews without a key, address or request, and shows the known values", async () => {
            const { output } = await stack.succeed("preview", "--diff");
            assert.match(output, /domain\s*: "docs\.example\.com"/);
            assert.match(output, /version\s*: "1"/);
            assert.deepEqual(platform.requests, []);
        });

        it("runs one job when it creates the resource, and outputs a link to the bundle", async () => {
            await stack.configure({
                config: { "static-export:baseUrl": platform.service.url },
                secret: { "static-export:adminApiKey": adminApiKey },
            });
            await stack.up();
            assert.equal(platform.count("start"), 1);
            assert.equal(platform.count("bundle"), 1);
            assert.equal((await stack.resource())?.outputs["pageCount"], 2);
            const response = await fetch((await stack.output("bundleUrl")) as string);
            assert.equal(response.status, 200);
        });

        it("makes no request when nothing has changed", async () => {
            const { output } = await stack.up("--expect-no-changes");
            assert.match(output, /2 unchanged/);
            assert.deepEqual(platform.requests, []);
        });

        it("writes neither the key nor the link in plain text", async () => {
            const written = await stack.writtenText();
            const link = (await stack.output("bundleUrl")) as string;
            assert.equal(written.includes(adminApiKey), false);
            assert.equal(written.includes(link), false);
        });

        it("runs one job in place for a new version", async () => {
            await declare({ domain, version: "2" });
            const { output } = await stack.up("--diff");
            assert.match(output, /~ version\s*: "1" => "2"/);
            assert.match(output, /~ 1 updated/);
            assert.equal(platform.count("start"), 1);
        });

        it("replaces the resource when the domain changes", async () => {
            await declare({ domain: "other.example.com", version: "2" });
            assert.match((await stack.up()).output, /\+-1 replaced/);
            assert.equal(platform.count("start"), 1);
            assert.equal((await stack.resource())?.id, "other.example.com");
        });

        it("removes the export from the state on destroy, without a key or a request", async () => {
            await stack.removeConfig("static-export:adminApiKey");
            await stack.succeed("destroy", "--yes", "--skip-preview");
            assert.deepEqual(platform.requests, []);
        });
    });
}

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import schema from "../../../../plugin/src/schema.json" with { type: "json" };
import { PluginFolder } from "../support/plugin-folder.js";

/** Only for C#, because its host needs .NET, which Debian does not have. */
describe("the plugin's generated package", () => {
    let plugin: PluginFolder;

    before(async () => {
        plugin = await PluginFolder.create();
    });
    after(() => plugin.remove());

    it("contains every resource in C#", async () => {
        const sdk = await plugin.generateSdk("dotnet");
        for (const token of Object.keys(schema.resources)) {
            const code = await readFile(join(sdk, `${token.split(":").at(-1)}.cs`), "utf8");
            assert.match(code, /namespace ExampleOwner\.StaticExport\b/);
            assert.ok(code.includes(`ResourceType("${token}")`), token);
        }
    });
});

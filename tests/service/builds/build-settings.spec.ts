import assert from "node:assert/strict";
import { settingsOf } from "../../../service/src/builds/build-settings.js";
import { readSiteBuild } from "../../../service/src/builds/site-build.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

/** Reads the settings of a site whose operator has only allowed builds. */
async function errorWith(files: Files): Promise<string> {
    let message = "";
    await withFolder(async (folder) => {
        await writeFiles(folder, files);
        const build = readSiteBuild("docs.example.com", true);
        assert.ok(build);
        try {
            settingsOf(folder, build);
        } catch (error) {
            message = (error as Error).message;
        }
    });
    return message;
}

describe("A build without a command", () => {
    it("fails with the usual settings of the builder whose files the site contains", async () => {
        assert.match(
            await errorWith({ "website/docusaurus.config.ts": "", "website/node_modules/a/book.toml": "" }),
            /or in the sites file\. website\/docusaurus\.config\.ts is a file of Docusaurus, whose usual settings are build: \{ command: npx docusaurus build, outputFolder: build, baseFolder: website \}\.$/,
        );
        assert.match(
            await errorWith({ ".vitepress/config/index.ts": "" }),
            /\.vitepress\/config is a file of VitePress, .* \{ command: npx vitepress build, outputFolder: \.vitepress\/dist \}\.$/,
        );
    });

    it("fails without a proposal if no file is of a known builder", async () => {
        assert.match(await errorWith({ "a.md": "# A" }), /in the site's folder, or in the sites file\.$/);
    });

    it("refuses limits that timers and git cannot count", () => {
        const read = (limits: object) => readSiteBuild("docs.example.com", { command: "hugo", ...limits });
        assert.throws(() => read({ timeoutSeconds: 2_147_484 }), /build\.timeoutSeconds .* from 1 to 2147483\.$/);
        assert.throws(() => read({ historyCommits: 2 ** 53 - 1 }), /build\.historyCommits .* from 1 to 2000000000\.$/);
        assert.equal(read({ timeoutSeconds: 2_000_000 })?.limits.timeoutSeconds, 2_000_000);
    });
});

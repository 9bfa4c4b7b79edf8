import assert from "node:assert/strict";
import { type BuilderOptions, readBuilderSettings } from "../../../cli/src/build/builder-settings.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

async function settingsOf(files: Files, options: BuilderOptions & { prebuilt?: boolean }): Promise<unknown> {
    let settings: unknown;
    await withFolder(async (folder) => {
        await writeFiles(folder, files);
        settings = await readBuilderSettings(folder, options);
    });
    return settings;
}

const build = { command: "npm run build", outputFolder: "build", baseFolder: "website" };
const settings = "build:\n  command: npm run build\n  outputFolder: build\n  baseFolder: website\n";

describe("The settings of a site's own builder", () => {
    it("come from the options", async () => {
        assert.deepEqual(await settingsOf({}, build), build);
        assert.deepEqual(await settingsOf({}, { command: "hugo", outputFolder: "public" }), {
            ...{ command: "hugo", outputFolder: "public", baseFolder: "." },
        });
    });

    it("come from .static-export.yaml, unless an option overrides them", async () => {
        const files = { ".static-export.yaml": settings };
        assert.deepEqual(await settingsOf(files, { command: true }), build);
        assert.deepEqual(await settingsOf(files, { command: "make", baseFolder: "." }), {
            ...{ command: "make", outputFolder: "build", baseFolder: "." },
        });
    });

    it("run nothing without --command, because a folder may be a stranger's pull request", async () => {
        const files = { ".static-export.yaml": settings };
        await assert.rejects(settingsOf(files, {}), /pass --command to run it, or --prebuilt/);
        assert.equal(await settingsOf(files, { prebuilt: true }), undefined);
        assert.equal(await settingsOf({ ".readthedocs.yaml": "version: 2" }, {}), undefined);
        await assert.rejects(settingsOf({}, { outputFolder: "build" }), /--output-folder needs --command/);
    });

    it("are refused if they are incomplete, unknown, unreadable or outside of the site", async () => {
        await assert.rejects(settingsOf({}, { command: true }), /--command needs a command/);
        await assert.rejects(settingsOf({}, { command: "hugo" }), /needs --output-folder/);
        await assert.rejects(settingsOf({}, { ...build, outputFolder: "../out" }), /outside of the site's folder/);
        await assert.rejects(settingsOf({}, { ...build, baseFolder: "/tmp" }), /outside of the site's folder/);
        for (const [text, reason] of [
            ["build:\n  output: build", /build\.output is unknown/],
            ["build:\n  command: 1", /build\.command must be a string/],
            ["build: npm", /build must contain command/],
            ["- a", /must contain settings/],
            ["a: [", /^.*\.static-export\.yaml: /],
        ] as const) {
            await assert.rejects(settingsOf({ ".static-export.yaml": text }, { command: true }), reason);
        }
    });
});

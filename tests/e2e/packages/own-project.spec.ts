import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";
import { root } from "../../docs/support/documents.js";
import { followBlocks } from "../../docs/support/follow-blocks.js";
import { ownProjectBlocks, type OwnLanguage } from "../../docs/support/own-project.js";
import { Reader } from "../../docs/support/reader.js";

/** In YAML it takes another minute: `npm run test:all`. */
const languages: OwnLanguage[] = process.env["PAGES"] === "whole" ? ["typescript", "yaml"] : ["typescript"];

describe("a reader with an empty home directory who follows docs/own-project.md", () => {
    /** The packages and the plugin that the page's first two commands write. */
    let written: string;

    before(async () => {
        written = await mkdtemp(join(tmpdir(), "static-export-written-"));
        await run("npm", ["run", "pack", "--", "--pack-destination", written], { cwd: root });
        await run("npm", ["run", "plugin", "--", join(written, "static-export-plugin")], { cwd: root });
    });

    after(() => rm(written, { recursive: true, force: true }));

    for (const language of languages) {
        it(`previews, exports, changes and destroys, in ${language}`, async () => {
            const { env } = await ensurePulumi();
            const hosts = await ensureTool("pulumi-language-yaml");
            const reader = await Reader.openEmpty("my-project", {
                PATH: [dirname(process.execPath), dirname(hosts), env["PATH"]].join(delimiter),
                // Only to save time: the registry has the same packages.
                npm_config_cache: join(homedir(), ".npm"),
            });
            try {
                await reader.follow("mkdir my-project clone\ncd clone");
                await followBlocks(reader, ownProjectBlocks("clone", language), ({ text }) =>
                    // A Pulumi that was built with cgo looks for ~ in /etc/passwd.
                    text
                        .replace(/^pulumi login --local$/m, 'pulumi login "file://$HOME"')
                        .replace(/^npm run pack -- --pack-destination (.*)$/m, `cp '${written}'/*.tgz $1`)
                        .replace(/^npm run plugin -- (.*)$/m, `cp -R '${written}/static-export-plugin' $1`),
                );
            } finally {
                await reader.leave();
            }
        });
    }
});

import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensurePulumi, ensureTool } from "@pulumi-static-export/toolchain";
import { codeBlocks, root } from "../../docs/support/documents.js";
import { followBlocks } from "../../docs/support/follow-blocks.js";
import { Reader } from "../../docs/support/reader.js";

describe("a reader with an empty home directory who follows docs/own-project.md", () => {
    let reader: Reader;

    before(async () => {
        const { env } = await ensurePulumi();
        const hosts = await ensureTool("pulumi-language-yaml");
        reader = await Reader.openEmpty("my-project", {
            PATH: [dirname(process.execPath), dirname(hosts), env["PATH"]].join(delimiter),
            // Only to save time: the registry has the same packages.
            npm_config_cache: join(homedir(), ".npm"),
        });
    });

    after(() => reader.leave());

    it("previews, exports, changes and destroys, in TypeScript and in YAML", async () => {
        await reader.follow("mkdir my-project clone\ncd clone");
        await followBlocks(reader, codeBlocks("docs/own-project.md"), ({ text }) =>
            // The clone is this checkout, and a Pulumi that was built with cgo looks for ~ in /etc/passwd.
            text
                .replace(/^pulumi login --local$/m, 'pulumi login "file://$HOME"')
                .replace(/^npm run (pack|plugin) -- (?:--pack-destination )?(.*)$/gm, (command) =>
                    command
                        .replace("../", `"$PWD/../`)
                        .replace(/$/, `"`)
                        .replace("npm run", `npm --prefix '${root}' run`),
                ),
        );
    });
});

import assert from "node:assert/strict";
import { codeBlocks } from "../../docs/support/documents.js";
import { postgresPrograms } from "../../service/support/postgres.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, Platform } from "../support/platform.js";
import { clustered } from "../support/service-kinds.js";

const page = codeBlocks("docs/guides/from-the-curl-loop.md");

/** Finds the guide's code block that contains the text. */
function blockOf(text: string): string {
    const block = page.find((each) => each.text.includes(text));
    assert.ok(block, text);
    return block.text;
}

describe("A service with two API processes and two workers, used by the guide's shell loop and program,", () => {
    let platform: Platform;
    let stack: EngineStack;

    before(async function () {
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        platform = await Platform.start(clustered);
        const program = blockOf("new StaticExportBundle").replace(/^import .*\n/gm, "");
        const env = {
            STATIC_EXPORT_BASE_URL: platform.service.url,
            STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
        };
        stack = await EngineStack.create({ program, env });
    });
    after(async () => {
        await stack?.remove();
        await platform?.stop();
    });

    const type = async (commands: string): Promise<void> => {
        const { exitCode, output } = await stack.startOther("bash", ["-e", "-c", commands]).result;
        assert.equal(exitCode, 0, output);
    };

    it("exports the same pages for the loop and the program with one job each, and none without a change", async () => {
        await type(blockOf("cat > export.sh"));
        await type("pulumi up --yes --skip-preview && pulumi up --yes --expect-no-changes");
        assert.equal(platform.count("start"), 2);
        await type(blockOf("diff -r by-hand declared"));
    });

    it("causes no diff on refresh, and exports again when the resource is replaced", async () => {
        await type("pulumi refresh --yes --skip-preview --expect-no-changes");
        await type("pulumi up --yes --skip-preview --replace '**::docs'");
        assert.equal(platform.count("start"), 3);
    });
});

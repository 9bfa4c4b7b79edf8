import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { EngineStack } from "./support/engine-stack.js";
import { domain } from "./support/platform.js";

const golden = new URL("../provider/fixtures/static-export-bundle-provider.txt", import.meta.url);

describe("the serialised provider in users' states", () => {
    it("is the golden file, byte by byte", async () => {
        const stack = await EngineStack.create({ program: `new StaticExportBundle("docs", { domain: "${domain}" });\n` });
        try {
            const { stdout } = await stack.succeed("preview", "--json");
            const { steps } = JSON.parse(stdout) as { steps: { newState?: { inputs?: { __provider?: string } } }[] };
            const code = steps.map(({ newState }) => newState?.inputs?.__provider).find((text) => text !== undefined);
            assert.equal(code, await readFile(golden, "utf8"));
        } finally {
            await stack.remove();
        }
    });
});

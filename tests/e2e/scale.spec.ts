import assert from "node:assert/strict";
import { MemoryWatch } from "../../bench/scale/memory-watch.js";
import { pacedExporter } from "../../bench/scale/paced-exporter.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, Platform } from "./support/platform.js";

const program = `
const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) {
    new StaticExportBundle(\`docs-\${index}\`, { domain: \`docs-\${index}.example.com\` });
}
`;

/** `npm run bench:scale` does this with 200 bundles, and measures time and memory. */
describe("many bundles in one stack", () => {
    it("run side by side in one provider process, and one more costs what the first did", async () => {
        const domains = Array.from({ length: 21 }, (_, index) => `docs-${index}.example.com`);
        const platform = await Platform.start({ domains, concurrency: 21, exporter: pacedExporter(2000) });
        const stack = await EngineStack.create({
            program,
            config: { count: "20", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        try {
            const watch = new MemoryWatch();
            await stack.up("--parallel", "200");
            assert.equal(watch.stop().providers, process.platform === "linux" ? 1 : 0);
            assert.equal(platform.count("start"), 20);
            assert.equal(platform.count("bundle"), 20);
            platform.requests.length = 0;
            await stack.succeed("config", "set", "count", "21");
            await stack.up();
            assert.equal(platform.count("start"), 1);
            assert.equal(platform.count("bundle"), 1);
        } finally {
            await stack.remove();
            await platform.stop();
        }
    });
});

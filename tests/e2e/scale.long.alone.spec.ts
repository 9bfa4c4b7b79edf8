import assert from "node:assert/strict";
import { MemoryWatch } from "./support/memory-watch.js";
import { ScriptedExporter } from "../service/support/scripted-exporter.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, Platform } from "./support/platform.js";
import type { RunningCommand } from "./support/run-command.js";

/** Waits with a limit, so that bundles that wait for one another fail the spec instead of hanging it. */
const program = `
const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) {
    new StaticExportBundle(\`docs-\${index}\`, { domain: \`docs-\${index}.example.com\`, timeoutSeconds: 60 });
}
`;
const bundles = 20;

describe("many bundles in one stack", () => {
    let exporter: ScriptedExporter;
    let platform: Platform;
    let stack: EngineStack;
    let run: RunningCommand;

    before(async () => {
        const domains = Array.from({ length: bundles + 1 }, (_, index) => `docs-${index}.example.com`);
        exporter = new ScriptedExporter();
        platform = await Platform.start({ domains, concurrency: bundles + 1, exporter });
        stack = await EngineStack.create({
            program,
            config: { count: `${bundles}`, "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    });

    after(async () => {
        // Only a run that failed is still active here, and its language host would keep the output open for minutes.
        run.child.kill("SIGKILL");
        run.child.stdout?.destroy();
        run.child.stderr?.destroy();
        await stack.remove();
        await platform.stop();
    });

    it(`are exported concurrently in one provider process: ${bundles} bundles`, async () => {
        const watch = new MemoryWatch();
        run = stack.start("up", "--yes", "--skip-preview", "--parallel", "200");
        await Promise.race([exporter.nth(bundles), run.seen(/was not done after/)]);
        assert.equal(exporter.begun.length, bundles, "so many jobs had begun before one of them ended");
        await Promise.all(exporter.begun.map((job) => job.complete()));
        const { exitCode, output } = await run.result;
        assert.equal(exitCode, 0, output);
        assert.equal(watch.stop().providers, process.platform === "linux" ? 1 : 0);
        assert.equal(platform.count("start"), bundles);
        assert.equal(platform.count("bundle"), bundles);
    });

    it("need only the requests of one job when a bundle is added", async () => {
        platform.requests.length = 0;
        await stack.configure({ config: { count: `${bundles + 1}` } });
        run = stack.start("up", "--yes", "--skip-preview");
        await (await exporter.nth(bundles + 1)).complete();
        const { exitCode, output } = await run.result;
        assert.equal(exitCode, 0, output);
        assert.equal(platform.count("start"), 1);
        assert.equal(platform.count("bundle"), 1);
        assert.equal(new Set(platform.requests.flatMap(({ path }) => /se_\w+/.exec(path) ?? [])).size, 1);
    });
});

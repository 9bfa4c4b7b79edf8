import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeBlocks } from "../docs/support/documents.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

describe("a stack that refers to another one on the real engine", () => {
    let platform: Platform;
    let staging: EngineStack;
    let production: EngineStack;

    before(async () => {
        platform = await Platform.start();
        const settings = {
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        };
        staging = await EngineStack.create({
            ...settings,
            program: `export const { jobId, bundleUrl } = new StaticExportBundle("docs", { domain: "${domain}" });\n`,
        });
        await staging.up();
        const guide = codeBlocks("docs/reference/static-export-bundle.md");
        const program = guide.find(({ title }) => title === "production/index.ts")?.text ?? "";
        production = await EngineStack.create({
            ...settings,
            program: {
                "Pulumi.yaml": "name: production\nruntime: nodejs\n",
                "package.json": '{ "main": "index.ts" }',
                "index.ts":
                    program.replace("acme/docs/staging", "organization/e2e/dev") +
                    '\nexport const link = staging.requireOutput("bundleUrl");\n',
            },
            env: { PULUMI_BACKEND_URL: `file://${join(staging.folder, "state")}` },
        });
        const file = join(production.folder, "Pulumi.dev.yaml");
        const written = await readFile(file, "utf8");
        await production.succeed("stack", "init", "dev");
        await writeFile(file, written);
        platform.requests.length = 0;
    });
    after(async () => {
        await production.remove();
        await staging.remove();
        await platform.stop();
    });

    it("adopts the job of the other stack without an export, and its link stays secret", async () => {
        const { output } = await production.up();
        assert.deepEqual([platform.count("start"), platform.count("bundle")], [0, 1]);
        assert.match(output, /link: \[secret\]/);
    });

    it("cannot use an ESC environment with a backend other than Pulumi Cloud, as the guide says", async () => {
        const file = join(production.folder, "Pulumi.dev.yaml");
        await writeFile(file, `environment: [docs]\n${await readFile(file, "utf8")}`);
        const { exitCode, output } = await production.run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /backend .* does not support environments/);
    });
});

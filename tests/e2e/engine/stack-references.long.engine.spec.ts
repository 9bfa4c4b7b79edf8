import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bin } from "../../cli/support/command.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";

describe("a stack that references a stack with an export", () => {
    let platform: Platform;
    let exporting: EngineStack;
    let referring: EngineStack;

    before(async () => {
        platform = await Platform.start();
        exporting = await EngineStack.create({
            program: `export const { jobId, bundleUrl } = new StaticExportBundle("docs", { domain: "${domain}" });\n`,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await exporting.up();
        referring = await EngineStack.create({
            program: {
                "Pulumi.yaml": "name: referring\nruntime: nodejs\n",
                "package.json": '{ "main": "index.ts" }',
                "index.ts": `import * as pulumi from "@pulumi/pulumi";
const reference = new pulumi.StackReference("organization/e2e/dev");
export const link = reference.requireOutput("bundleUrl");
`,
            },
            env: { PULUMI_BACKEND_URL: `file://${join(exporting.folder, "state")}` },
        });
        await referring.succeed("stack", "init", "dev");
    });
    after(async () => {
        await referring.remove();
        await exporting.remove();
        await platform.stop();
    });

    it("receives the link as a secret", async () => {
        assert.match((await referring.up()).output, /link: \[secret\]/);
    });

    it("is previewed without its passphrase, from the redacted outputs of the stack that it references", async () => {
        const { folder } = referring;
        await writeFile(join(folder, "exported.json"), (await referring.succeed("stack", "export")).stdout);
        const command = (args: readonly string[], env = {}) =>
            referring.startOther(process.execPath, [bin, ...args], env).result;
        const exported = ["exported.json", "--config", "Pulumi.dev.yaml", "--out", "redacted"];
        const written = await command(["redact-state", ...exported]);
        assert.equal(written.exitCode, 0, written.output);
        await rm(join(folder, "exported.json"));
        const { exitCode, stdout, output } = await command(["preview", "--stack", "dev", "--redacted", "redacted"], {
            PULUMI_BACKEND_URL: undefined,
            PULUMI_CONFIG_PASSPHRASE: undefined,
        });
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /[Nn]othing changes|[Nn]o changes/);
    });

    it("cannot use an ESC environment without Pulumi Cloud, as documented in the guide", async () => {
        const file = join(referring.folder, "Pulumi.dev.yaml");
        await writeFile(file, `environment: [docs]\n${await readFile(file, "utf8")}`);
        const { exitCode, output } = await referring.run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /does not support environments/);
    });
});

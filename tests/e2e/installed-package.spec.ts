import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import { adminApiKey, domain, Platform } from "./support/platform.js";
import { withoutSettings } from "./support/without-settings.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const golden = join(root, "tests/provider/fixtures/static-export-bundle-provider.txt");
const run = promisify(execFile);

const program = `import { StaticExportBundle } from "pulumi-static-export";
export const { jobId } = new StaticExportBundle("docs", { domain: "${domain}" });
`;

describe("the package as users install it, outside of this checkout", () => {
    let folder: string;
    let platform: Platform;

    before(async () => {
        platform = await Platform.start();
        folder = await mkdtemp(join(tmpdir(), "static-export-installed-"));
        await mkdir(join(folder, "state"));
        // As docs/quickstart.mdx says.
        const pack = "npm pack -w sdk -w provider -w service -w cli --pack-destination";
        await run("bash", ["-c", `${pack} ${folder}`], { cwd: root });
        const dependencies = { "@pulumi/pulumi": "3.245.0", typescript: "6.0.3" };
        await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, main: "index.ts", dependencies }));
        await writeFile(join(folder, "Pulumi.yaml"), "name: user\nruntime: nodejs\n");
        await writeFile(join(folder, "index.ts"), program);
        await writeFile(
            join(folder, "tsconfig.json"),
            '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "skipLibCheck": true } }',
        );
        await run("bash", ["-c", "npm install ./pulumi-static-export-*.tgz"], { cwd: folder });
    });

    after(async () => {
        await rm(folder, { recursive: true });
        await platform.stop();
    });

    it("exports from a TypeScript program, and serialises to the same bytes as here", async () => {
        const { command, env } = await ensurePulumi();
        const options = {
            cwd: folder,
            env: {
                ...process.env,
                ...withoutSettings,
                ...env,
                PULUMI_HOME: join(folder, "home"),
                PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
                PULUMI_CONFIG_PASSPHRASE: "e2e",
                STATIC_EXPORT_BASE_URL: platform.service.url,
                STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                STATIC_EXPORT_JOURNAL_DIR: join(folder, "journal"),
            },
        };
        await run(command, ["stack", "init", "dev", "--non-interactive"], options);
        await run(command, ["up", "--yes", "--skip-preview", "--non-interactive"], options);
        assert.equal(platform.count("start"), 1);
        const { stdout } = await run(command, ["stack", "export"], options);
        const { deployment } = JSON.parse(stdout) as {
            deployment: { resources: { inputs?: { __provider?: string } }[] };
        };
        const code = deployment.resources.map(({ inputs }) => inputs?.__provider).find((text) => text !== undefined);
        assert.equal(code, await readFile(golden, "utf8"));
    });

    it("brings the command that serves the admin API, as the documentation calls it", async () => {
        const { stdout } = await run("npx", ["--no", "static-export", "serve", "--help"], { cwd: folder });
        assert.match(stdout, /^Usage: static-export serve /);
    });
});

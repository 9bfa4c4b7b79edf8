import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { ensureKubernetesProvider } from "@pulumi-static-export/toolchain";
import { type CommandResult } from "../support/run-command.js";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";

const chart = "./node_modules/pulumi-static-export/charts/documentation-site";

const program = `const { documentationSiteChart } = require("pulumi-static-export");
const { DocumentationSite } = require("pulumi-static-export/site");
const { Release } = require("@pulumi/kubernetes/helm/v3/release");

process.env.PATH = process.env.PROGRAM_PATH ?? process.env.PATH;
const args = JSON.parse(process.env.SITE_ARGS);
new DocumentationSite("docs", { domain: "docs.example.com", deploymentType: "cloud", ...args });
new Release("plain", { chart: documentationSiteChart(), values: {} });
`;

describe("a preview in a project with only the package installed", () => {
    let project: InstalledProject;
    let plugin: string;

    before(async () => {
        const { provider } = await packPackages();
        plugin = dirname(await ensureKubernetesProvider());
        project = await InstalledProject.create({
            manifest: {
                main: "index.js",
                dependencies: {
                    "@pulumi/kubernetes": "4.34.2",
                    "@pulumi/pulumi": "3.270.0",
                    "pulumi-static-export": `file:${provider}`,
                },
            },
            files: { "index.js": program },
        });
        await project.pulumiSucceeds(["stack", "init", "dev"]);
    });

    after(() => project.remove());

    const preview = (args: object, env: NodeJS.ProcessEnv = {}, ...flags: string[]): Promise<CommandResult> =>
        project.tryPulumi(["preview", ...flags], {
            SITE_ARGS: JSON.stringify(args),
            PATH: [plugin, project.path].join(delimiter),
            ...env,
        });

    it("finds the package's chart for DocumentationSite and Release at a machine-independent path", async () => {
        const { exitCode, stdout, output } = await preview({}, {}, "--json");
        assert.equal(exitCode, 0, output);
        const { steps } = JSON.parse(stdout) as { steps: { newState?: { inputs?: { chart?: string } } }[] };
        const charts = steps.map(({ newState }) => newState?.inputs?.chart).filter((each) => each !== undefined);
        assert.deepEqual(charts, [chart, chart]);
    });

    it("refuses a chart folder that does not exist", async () => {
        const { exitCode, output } = await preview({ chart: "./charts/site" });
        assert.notEqual(exitCode, 0);
        assert.match(output, /DocumentationSite docs: there is no chart at \.\/charts\/site/);
    });

    it("refuses a mirror if the AWS SDK is not installed, and names the command that installs it", async () => {
        const { exitCode, output } = await preview({ mirror: { bucket: "docs-bundles" } });
        assert.notEqual(exitCode, 0);
        assert.match(output, /npm install @aws-sdk\/client-s3 @aws-sdk\/s3-request-presigner/);
    });

    it("warns about kubectl only if it is not on PATH", async () => {
        const bin = join(project.folder, ".bin");
        await mkdir(bin);
        await symlink(process.execPath, join(bin, "kubectl"));
        const found = await preview({}, { PROGRAM_PATH: bin });
        assert.doesNotMatch(found.output, /kubectl/);
        const { output: warned } = await preview({}, { PROGRAM_PATH: project.folder });
        assert.match(warned, /kubectl is not on PATH/);
    });
});

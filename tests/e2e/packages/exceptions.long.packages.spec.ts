import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { domain } from "../support/platform.js";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";

const sdk = "3.270.0";
const program = `const { StaticExportBundle } = require("pulumi-static-export");
new StaticExportBundle("docs", { domain: "${domain}" });
`;

/** Combinations that the guide excludes: each fails with a message before anything is started. */
describe("an unsupported kind of project", () => {
    let scratch: string;
    let packed: string;
    let project: InstalledProject | undefined;

    before(async () => {
        scratch = await mkdtemp(join(tmpdir(), "static-export-packed-"));
        packed = join(scratch, "provider.tgz");
        await cp((await packPackages()).provider, packed);
    });
    afterEach(() => project?.remove());
    after(() => rm(scratch, { recursive: true }));

    const preview = async (created: InstalledProject) => {
        project = created;
        await created.pulumiSucceeds(["stack", "init", "dev"]);
        const { exitCode, output } = await created.tryPulumi(["preview"]);
        assert.notEqual(exitCode, 0, output);
        return output;
    };

    it("fails with yarn's Plug'n'Play because Pulumi does not find its own SDK", async () => {
        const output = await preview(
            await InstalledProject.create({
                manager: "yarn 4, Plug'n'Play",
                manifest: {
                    main: "index.js",
                    dependencies: { "@pulumi/pulumi": sdk, "pulumi-static-export": packed },
                },
                files: { "index.js": program },
            }),
        );
        assert.match(output, /nodeLinker|The Pulumi SDK has not been installed|Pulumi SDK has not been installed/);
    });

    it("fails with pnpm and names the missing dependency if the program depends on it only indirectly", async () => {
        const output = await preview(
            await InstalledProject.create({
                manager: "pnpm",
                manifest: {
                    main: "index.js",
                    dependencies: { "@pulumi/pulumi": sdk, "acme-site": "file:./acme-site" },
                },
                files: {
                    "acme-site/package.json": JSON.stringify({
                        name: "acme-site",
                        version: "1.0.0",
                        main: "index.js",
                        dependencies: { "@pulumi/pulumi": sdk, "pulumi-static-export": `file:${packed}` },
                    }),
                    "acme-site/index.js": program,
                    "index.js": `require("acme-site");\n`,
                },
            }),
        );
        assert.match(output, /Add it to the program's own dependencies \(with pnpm, you can also set/);
    });
});

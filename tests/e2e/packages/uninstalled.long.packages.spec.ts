import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";

const program = `const { StaticExportBundle } = require("pulumi-static-export");
new StaticExportBundle("docs", { domain: "${domain}" });
`;

describe("a stack whose project no longer contains the package", () => {
    let platform: Platform;
    let project: InstalledProject;

    before(async () => {
        const { provider } = await packPackages();
        platform = await Platform.start();
        project = await InstalledProject.create({
            manifest: {
                main: "index.js",
                dependencies: { "@pulumi/pulumi": "3.270.0", "pulumi-static-export": `file:${provider}` },
            },
            files: { "index.js": program },
            env: { STATIC_EXPORT_BASE_URL: platform.service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey },
        });
        await project.pulumiSucceeds(["stack", "init", "dev"]);
        await project.pulumiSucceeds(["up", "--yes", "--skip-preview"]);
        await rm(join(project.folder, "node_modules", "pulumi-static-export"), { recursive: true });
    });

    after(async () => {
        await project.remove();
        await platform.stop();
    });

    for (const command of ["destroy", "refresh"]) {
        it(`is not changed by pulumi ${command}, and shows the error message from the guide`, async () => {
            const { exitCode, output } = await project.tryPulumi([command, "--yes", "--skip-preview"]);
            assert.notEqual(exitCode, 0);
            const guide = await readFile(
                new URL("../../../docs/installation-configuration.md", import.meta.url),
                "utf8",
            );
            const [quoted = "nothing is quoted"] = /error: Cannot find module .*/.exec(guide) ?? [];
            assert.ok(output.includes(quoted), output);
        });
    }

    it("can drop the resource with pulumi state delete and the URN that pulumi stack shows", async () => {
        const { stdout } = await project.pulumiSucceeds(["stack", "--show-urns"]);
        const [urn = ""] = /urn:\S+static-export:StaticExportBundle::docs/.exec(stdout) ?? [];
        await project.pulumiSucceeds(["state", "delete", urn, "--yes"]);
        await project.pulumiSucceeds(["destroy", "--yes", "--skip-preview"]);
    });
});

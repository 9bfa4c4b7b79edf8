import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";

const program = `const { StaticExportBundle } = require("pulumi-static-export");
exports.urn = new StaticExportBundle("docs", { domain: "${domain}" }).urn;
`;

describe("a stack whose project has lost the package", () => {
    let platform: Platform;
    let project: InstalledProject;

    before(async () => {
        const { provider } = await packPackages();
        platform = await Platform.start();
        project = await InstalledProject.create({
            manifest: {
                main: "index.js",
                dependencies: { "@pulumi/pulumi": "3.245.0", "pulumi-static-export": `file:${provider}` },
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

    it("is not destroyed, and names the module that is missing", async () => {
        const { exitCode, output } = await project.tryPulumi(["destroy", "--yes", "--skip-preview"]);
        assert.notEqual(exitCode, 0);
        assert.match(output, /Cannot find module 'pulumi-static-export\/lifecycle'/);
    });

    it("lets go of the resource with pulumi state delete", async () => {
        const { stdout } = await project.pulumiSucceeds(["stack", "output", "urn"]);
        await project.pulumiSucceeds(["state", "delete", stdout.trim(), "--yes"]);
        await project.pulumiSucceeds(["destroy", "--yes", "--skip-preview"]);
    });
});

import assert from "node:assert/strict";
import { InstalledProject } from "./support/installed-project.js";
import { packPackages } from "./support/packed-packages.js";

describe("the packed static-export command, installed with the packed provider,", () => {
    let project: InstalledProject;

    before(async () => {
        const { provider, cli } = await packPackages();
        const dependencies = {
            "@pulumi/pulumi": "3.270.0",
            "@pulumi-static-export/cli": `file:${cli}`,
            "pulumi-static-export": `file:${provider}`,
        };
        project = await InstalledProject.create({ node: "22.23.3", manifest: { dependencies }, files: {} });
    });

    after(() => project.remove());

    it("installs on Node.js 22 without packages that require a newer version", () => {
        assert.doesNotMatch(project.installation, /EBADENGINE|Unsupported engine/);
    });

    it("serves the admin API at the documented address", async () => {
        const { stdout } = await project.succeed("npx", "--no", "--", "static-export", "serve", "--help");
        assert.match(stdout, /^Usage: static-export serve /);
        const version = await project.succeed("npx", "--no", "--", "static-export", "--version");
        assert.match(version.stdout, /^\d+\.\d+\.\d+(-alpha\.\S+)?\n$/);
    });
});

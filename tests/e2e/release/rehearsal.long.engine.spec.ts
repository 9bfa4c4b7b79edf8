import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type CommandError, run } from "@pulumi-static-export/toolchain";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const programs = ["YAML", "TypeScript, dynamic resources", "TypeScript, plugin", "Python", "Go", "Java"];

describe("npm run release:rehearse", () => {
    it("publishes a release to local registries, installs it, and upgrades to it without an export", async function () {
        this.timeout(45 * 60_000);
        const output = await run("npm", ["run", "release:rehearse"], { cwd: root }).catch((error: CommandError) =>
            assert.fail(error.stderr),
        );
        const steps = [...output.matchAll(/^✓ (.*) \([\d.]+ s\)$/gm)].map(([, name = ""]) => name);
        const [build = "", ...done] = steps;
        const [, next = ""] = /^build 0\.0\.1 and (\S+)$/.exec(build) ?? [];
        assert.deepEqual(done, [
            "build the image, and write the SBOMs",
            "publish 0.0.1",
            "install the command, and serve a site",
            ...programs.map((program) => `install 0.0.1 and create: ${program}`),
            `publish ${next}`,
            ...programs.map((program) => `upgrade, without a change: ${program}`),
            "preview with the policy pack",
            ...programs.map((program) => `destroy: ${program}`),
            "install the client, and import it",
            "push the charts, pull and render them",
            "follow the links and runbooks of the pulled charts",
            "push the image, pull and start it",
            "verify the signatures of charts and image, and their SBOMs",
        ]);
    });
});

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkov, ensurePythonPrograms, ensureTool, hadolint, zizmor } from "@pulumi-static-export/toolchain";
import { root } from "../../docs/support/documents.js";
import { sitesChart } from "../../charts/sites/support/edge-fixture.js";
import { exported, helm, serviceChartFolder } from "../../charts/support/render-chart.js";
import { required } from "../../charts/support/service-pods.js";

/** Runs a scanner, which fails if it finds anything that its configuration does not accept with a reason. */
async function assertNoFindings(program: string, args: readonly string[]): Promise<void> {
    await promisify(execFile)(program, args, { cwd: root }).catch(({ stdout, stderr }: Record<string, string>) =>
        assert.fail(`${stdout}${stderr}`),
    );
}

const scanner = async (tool: typeof checkov, command = tool.name) => join(await ensurePythonPrograms(tool), command);
const filesOf = (...patterns: string[]) =>
    execFileSync("git", ["ls-files", "--", ...patterns], { cwd: root, encoding: "utf8" })
        .trim()
        .split("\n");

describe("Scanners of the supply chain", function () {
    this.timeout(300_000);

    it("find nothing in workflows and in the action: zizmor", async () => {
        const files = filesOf(".github/workflows/*.yml", "action.yml", "examples/*/github/*.yml");
        const options = ["--offline", "--no-progress", "--config", ".github/zizmor.yml"];
        await assertNoFindings(await scanner(zizmor), [...options, ...files]);
    });

    it("find nothing in workflows: actionlint", async () => {
        const options = ["-no-color", "-shellcheck=", "-pyflakes="];
        await assertNoFindings(await ensureTool("actionlint"), [...options, ...filesOf(".github/workflows/*.yml")]);
    });

    it("find nothing in the Dockerfile: hadolint", async () => {
        await assertNoFindings(await scanner(hadolint, "hadolint"), ["--config", ".hadolint.yaml", "Dockerfile"]);
    });

    it("find nothing in the rendered charts: checkov", async () => {
        const agents = { projects: { docs: "https://git.example.com/acme/docs" }, command: ["/usr/bin/agent"] };
        const builds = { enabled: true };
        const rendered = {
            "documentation-site": await helm(["template", "docs"], exported),
            "documentation-sites": await helm(["template", "docs"], { bucket: { name: "docs" } }, sitesChart),
            "static-export-service": await helm(
                ["template", "docs"],
                { ...required, agents, builds },
                serviceChartFolder,
            ),
        };
        const folder = await mkdtemp(join(tmpdir(), "static-export-charts-"));
        try {
            for (const [chart, manifests] of Object.entries(rendered)) {
                await writeFile(join(folder, `${chart}.yaml`), manifests);
            }
            const options = [
                "--config-file",
                "charts/checkov.yaml",
                "--framework",
                "kubernetes",
                "--compact",
                "--quiet",
            ];
            await assertNoFindings(await scanner(checkov), [...options, "--skip-download", "--directory", folder]);
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});

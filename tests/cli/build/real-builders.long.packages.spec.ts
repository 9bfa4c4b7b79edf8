import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { listFiles, writeFiles, type Files } from "../../exporter/support/site-fixture.js";
import { Command } from "../support/command.js";

const run = promisify(execFile);

const pages: Files = {
    "index.md": "# Home\n\n[Install](guide/start.md#install)\n",
    "guide/start.md": "# Start\n\n## Install\n\n![Plan](plan.png)\n\n[Home](../index.md)\n",
    "guide/plan.png": "a picture",
};

function below(folder: string): Files {
    return Object.fromEntries(Object.entries(pages).map(([file, text]) => [`${folder}/${file}`, text]));
}

interface Builder {
    readonly name: string;
    readonly files: Files;
    readonly install: readonly [program: string, ...args: string[]];
    readonly build: string;
    readonly outputFolder: string;
    readonly pageCount: number;
}

const npmInstall = ["npm", "install", "--no-audit", "--no-fund"] as const;

const builders: readonly Builder[] = [
    {
        name: "VitePress",
        files: {
            "package.json": JSON.stringify({ type: "module", devDependencies: { vitepress: "1.6.4" } }),
            "docs/.vitepress/config.js": 'export default { themeConfig: { search: { provider: "local" } } };',
            ...below("docs"),
        },
        install: npmInstall,
        build: "npx vitepress build docs",
        outputFolder: "docs/.vitepress/dist",
        pageCount: 2,
    },
    {
        name: "MkDocs Material",
        files: {
            "mkdocs.yml": "site_name: Site\nsite_url: https://docs.example.com/\ntheme:\n  name: material\n",
            ...below("docs"),
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet mkdocs-material==9.6.22"],
        build: ".venv/bin/mkdocs build",
        outputFolder: "site",
        pageCount: 2,
    },
];

describe("static-export build of the output of", function () {
    this.timeout(300_000);
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-builder-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    for (const { name, files, install, build, outputFolder, pageCount } of builders) {
        it(`${name} contains each of its files, byte for byte, and finds no mistakes`, async () => {
            await writeFiles(folder, files);
            const [program, ...rest] = install;
            await run(program, rest, { cwd: folder });
            const own = ["--command", build, "--output-folder", outputFolder];
            const args = ["build", ".", ...own, "--output", "out", "--json", "--domain", "docs.example.com"];
            const { exitCode, stdout, stderr } = await new Command(args, { cwd: folder }).exited;
            assert.equal(exitCode, 0, stderr);
            const built = await listFiles(join(folder, outputFolder));
            const exported = await listFiles(join(folder, "out"));
            assert.deepEqual(
                exported.filter((file) => file !== "static-export/bundle.json"),
                built,
            );
            for (const file of built) {
                const content = await readFile(join(folder, "out", file));
                assert.ok(content.equals(await readFile(join(folder, outputFolder, file))), file);
            }
            const job = JSON.parse(stdout) as { pageCount: number; warnings: { first: unknown[] } };
            assert.deepEqual(job.warnings.first, []);
            assert.equal(job.pageCount, pageCount);
        });
    }
});

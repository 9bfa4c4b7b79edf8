import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { prepareCommand } from "../../../service/src/builds/build-script.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

/** Runs `install: true` with programs that only print how they are called. @param base the folder of the command */
async function install(files: Files, base = ".", shell = "/bin/sh"): Promise<string> {
    let text = "";
    await withFolder(async (folder) => {
        const programs = join(folder, "bin");
        const site = join(folder, "site");
        const print = '#!/bin/sh\necho "$(basename "$0") $*"\n';
        const bins = "$3/node_modules/.bin";
        const copy = `mkdir -p "${bins}"; for name in pnpm yarn bun; do cp "$HOME/print" "${bins}/$name"; done`;
        const npm = `${print}test "$1" != install || { ${copy}; }\n`;
        const names = ["bin/npm", "bin/bundle", "bin/cargo", "bin/go"];
        const venv = ["site/.venv/bin/python", "site/.venv/bin/uv", "site/.venv/bin/poetry", "site/.venv/bin/pdm"];
        await mkdir(site);
        await writeFiles(folder, Object.fromEntries([...names, ...venv].map((name) => [name, print])));
        await writeFiles(folder, { "bin/npm": npm, print });
        await Promise.all([...names, ...venv, "print"].map((name) => chmod(join(folder, name), 0o755)));
        await writeFiles(site, files);
        const PATH = `${folder}/.local/bin:${programs}:${dirname(process.execPath)}:/usr/bin:/bin`;
        const places = { base: join(site, base), root: site };
        const command = prepareCommand({ install: true }, places) ?? "";
        const { stdout, stderr } = spawnSync(shell, ["-e", "-c", command, "sh", places.base, "", "", site], {
            cwd: places.base,
            env: { PATH, HOME: folder, TMPDIR: folder },
            encoding: "utf8",
        });
        text = `${stdout}${stderr}`.trim().replaceAll(folder, "~");
    });
    return text;
}

const pnpm = (version: string) => ({ "pnpm-lock.yaml": `lockfileVersion: ${version}\n`, "package.json": "{}" });
const inFolder = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
const yarn = (version: number) => ({ "yarn.lock": `# Yarn\n\n__metadata:\n  version: ${version}\n  cacheKey: 8\n` });
const pip = "python -m pip install --quiet --disable-pip-version-check";

describe("The version of a package manager", () => {
    const cases: readonly (readonly [what: string, files: Files, expected: RegExp, base?: string])[] = [
        ["pnpm 10 for format 9.0", pnpm("'9.0'"), /^npm install .* pnpm@10\n\w+ install --frozen-lockfile/],
        ["pnpm 8 for format 6.0", pnpm("'6.0'"), /^npm install .* pnpm@8\n\w+ install/],
        ["pnpm 7 for format 5.4", pnpm("5.4"), /^npm install .* pnpm@7\n\w+ install/],
        [
            "the one in packageManager",
            { ...pnpm("'9.0'"), "package.json": '{ "packageManager": "pnpm@9.1.0+sha512.0a" }' },
            /^npm install .* pnpm@9\.1\.0\n\w+ install/,
        ],
        [
            "the one in devEngines",
            {
                ...pnpm("'9.0'"),
                "package.json": '{ "devEngines": { "packageManager": { "name": "pnpm", "version": "9" } } }',
            },
            /^npm install .* pnpm@9\n\w+ install/,
        ],
        [
            "found without the project's workspaces, of which npm refuses some",
            { ...pnpm("'9.0'"), "package.json": '{ "workspaces": ["a", "b"] }' },
            /^npm install .* pnpm@10\n\w+ install/,
        ],
        [
            "the one in packageManager of a folder above the lock file",
            { ...inFolder("website", pnpm("'9.0'")), "package.json": '{ "packageManager": "pnpm@9.2.0" }' },
            /^npm install .* pnpm@9\.2\.0\n/,
            "website",
        ],
        [
            "the one in packageManager of the command's folder, below the lock file",
            { "pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "docs/package.json": '{ "packageManager": "pnpm@9.3.0" }' },
            /^npm install .* pnpm@9\.3\.0\n/,
            "docs",
        ],
        [
            "npm's, if packageManager names it next to a lock file of pnpm",
            { ...pnpm("'9.0'"), "package-lock.json": "{}", "package.json": '{ "packageManager": "npm@11.0.0" }' },
            /^npm ci /,
        ],
        [
            "the lock file's, if the one in packageManager has no lock file",
            { "package-lock.json": "{}", "package.json": '{ "packageManager": "yarn@4.0.0" }' },
            /^npm ci /,
        ],
        [
            "pnpm, next to a lock file of npm",
            { ...pnpm("'9.0'"), "package-lock.json": "{}" },
            /^npm install .* pnpm@10\n\w+ install/,
        ],
        [
            "yarn 4.13 for format 8, which later ones change",
            yarn(8),
            /^npm install .* @yarnpkg\/cli-dist@4\.13\n\w+ install --immutable$/,
        ],
        ["yarn 4 for format 10", yarn(10), /^npm install .* @yarnpkg\/cli-dist@4\n\w+ install/],
        ["yarn 3 for format 6", yarn(6), /^npm install .* @yarnpkg\/cli-dist@3\n\w+ install/],
        ["yarn 1 for its own format", { "yarn.lock": "# yarn lockfile v1\n" }, /^npm install .* yarn@1\n\w+ install/],
        [
            "yarn 4 for a lock file of yarn 1, if package.json names it",
            { "yarn.lock": "# yarn lockfile v1\n", "package.json": '{ "packageManager": "yarn@4.5.3" }' },
            /^npm install .* @yarnpkg\/cli-dist@4\.5\.3\n\w+ install --immutable$/,
        ],
        ["bun 1", { "bun.lock": "{}" }, /^npm install .* bun@1\n\w+ install/],
        ["a uv before the next breaking version", { "uv.lock": "" }, /install .* uv<1\nuv sync --frozen --inexact$/],
        [
            "uv, with the group for the documentation",
            { "uv.lock": "", "pyproject.toml": '[dependency-groups]\ndev = []\ndocs = ["six"]\n[tool.uv]\n' },
            /uv sync --frozen --inexact --group docs$/,
        ],
        [
            "the poetry that wrote the lock file",
            {
                "poetry.lock": "# This file is automatically @generated by Poetry 1.8.3 and should\n",
                "pyproject.toml": "",
            },
            /poetry==1\.8\.3\npoetry install/,
        ],
        ["pdm", { "pdm.lock": "", "pyproject.toml": "" }, /pdm<3\npdm sync$/],
        ["pip", { "requirements.txt": "" }, new RegExp(`^${pip} --requirement requirements.txt$`)],
        [
            "bundler, which reads its version itself",
            { "Gemfile.lock": "" },
            /^bundle config set --local path ~\/\.cache\/bundle\nbundle install --quiet$/,
        ],
        ["both cargo and go", { "Cargo.lock": "", "go.sum": "" }, /^cargo fetch --locked\ngo mod download$/],
    ];
    for (const [name, files, expected, base] of cases) {
        it(`is ${name}`, async () => assert.match(await install(files, base), expected));
    }

    it("is never the latest: an unknown format is an error", async () => {
        assert.match(await install(pnpm("'12.0'")), /^pnpm-lock.yaml has the format 12.0, which is unknown: write/);
    });

    it("installs devDependencies, also if NODE_ENV is production", async () => {
        assert.match(await install({ "package-lock.json": "{}" }), /^npm ci --include=dev /);
        assert.match(await install(pnpm("'6.0'")), /\npnpm install .*--prod=false /);
        assert.match(await install({ "yarn.lock": "# yarn lockfile v1\n" }), /\nyarn install .*--production=false$/);
    });

    it("does not depend on the system's shell", async () => {
        const files = { "yarn.lock": "# yarn lockfile v1\n", "package.json": '{ "packageManager": "yarn@1.22.22" }' };
        const [system, bash] = [await install(files), await install(files, ".", "bash")];
        assert.match(bash, /yarn@1\.22\.22\n\w+ install --frozen-lockfile/);
        assert.equal(bash, system);
    });
});

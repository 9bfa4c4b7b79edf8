import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { languages, targets, writeProject } from "../../../cli/src/init/project-files.js";
import { readManifest } from "../../../cli/src/command-line/package-manifest.js";
import { type InitOptions, runInit } from "../../../cli/src/init/run-init.js";
import { UsageError } from "../../../cli/src/command-line/usage-error.js";

const plain: InitOptions = { domain: "docs.example.com", for: "export", language: "yaml", stack: "dev" };

describe("static-export init", () => {
    let folder: string;
    const log = console.log;
    let printed: string;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-init-"));
        printed = "";
        console.log = (text: string) => void (printed += `${text}\n`);
    });
    afterEach(async () => {
        console.log = log;
        await rm(folder, { recursive: true });
    });

    const read = async (...path: string[]) => parse(await readFile(join(folder, ...path), "utf8")) as unknown;

    it("writes the project, the stack's settings and the program, and prints the next commands", async () => {
        await runInit(join(folder, "site"), { ...plain, baseUrl: "https://api.example.com" });
        assert.deepEqual(await read("site", "Pulumi.dev.yaml"), {
            config: {
                "static-export:baseUrl": "https://api.example.com",
                "site:domain": "docs.example.com",
                "site:version": "v1",
            },
        });
        assert.deepEqual((await readdir(join(folder, "site"))).sort(), [
            ".gitignore",
            "Pulumi.dev.yaml",
            "Pulumi.yaml",
        ]);
        assert.match(printed, /^Wrote \S+Pulumi\.dev\.yaml, /);
        assert.match(
            printed,
            /Next, in this order:\n {2}cd \S+\n {2}pulumi plugin install .*\n {2}pulumi login --local\n {2}pulumi stack init dev\n {2}pulumi preview\n/,
        );
    });

    for (const [folderName, project] of [
        ["Untitled Folder \u00c9", "Untitled-Folder-E"],
        ["Untitled Folder E\u0301", "Untitled-Folder-E"],
        ["名前", "docs"],
        [".hidden", "hidden"],
        ["'q'", "q"],
        ["-x", "x"],
        ["a".repeat(150), "a".repeat(100)],
    ] as const) {
        it(`names the project after the folder, in characters that Pulumi accepts: ${folderName.slice(0, 30)}`, async () => {
            await runInit(join(folder, folderName), plain);
            assert.equal(((await read(folderName, "Pulumi.yaml")) as { name: string }).name, project);
        });
    }

    it("prints the command for the key with the file of a service that was started there", async () => {
        await mkdir(join(folder, ".static-export"));
        await writeFile(join(folder, ".static-export/admin-api-key"), "admin_0123456789abcdef\n");
        await runInit(folder, plain);
        const key = "pulumi config set --secret static-export:adminApiKey";
        const file = ".static-export/admin-api-key";
        const command = process.platform === "win32" ? `Get-Content ${file} | ${key}` : `${key} < ${file}`;
        assert.ok(printed.split("\n").includes(`  ${command}`), printed);
    });

    it("writes nothing if the folder already contains any of the files", async () => {
        await writeFile(join(folder, "Pulumi.yaml"), "name: mine\n");
        await assert.rejects(runInit(folder, plain), (error: Error) => {
            assert.ok(error instanceof UsageError);
            assert.match(error.message, /^Pulumi\.yaml exists in .*overwrites nothing: pass another folder/);
            return true;
        });
        assert.deepEqual([await readdir(folder), await read("Pulumi.yaml")], [["Pulumi.yaml"], { name: "mine" }]);
    });

    it("writes nothing into a project of Yarn Plug'n'Play, so that it can run again after the remedy", async () => {
        await writeFile(join(folder, "package.json"), '{ "workspaces": ["infra"], "packageManager": "yarn@4.5.0" }');
        const init = () => runInit(join(folder, "infra"), { ...plain, language: "typescript" });
        await assert.rejects(init(), /write nodeLinker: node-modules into \.yarnrc\.yml/);
        assert.deepEqual(await readdir(join(folder, "infra")), []);
        await writeFile(join(folder, ".yarnrc.yml"), "nodeLinker: node-modules\n");
        await init();
        assert.match(printed, /^ {2}yarn add /m);
    });

    it("keeps the yarn.lock that somebody made for a separate project in a folder of a project of Yarn", async () => {
        await writeFile(join(folder, "package.json"), '{ "packageManager": "yarn@4.5.0" }');
        await mkdir(join(folder, "infra"));
        await writeFile(join(folder, "infra/yarn.lock"), "# mine\n");
        await runInit(join(folder, "infra"), { ...plain, language: "typescript" });
        assert.equal(await readFile(join(folder, "infra/yarn.lock"), "utf8"), "# mine\n");
        assert.equal(await readFile(join(folder, "infra/.yarnrc.yml"), "utf8"), "nodeLinker: node-modules\n");
        assert.match(printed, /^Did not change \S+yarn\.lock\.$/m);
    });

    it("writes a package.json for TypeScript, because npm would otherwise install into a project around the folder", async () => {
        await writeFile(join(folder, "package.json"), "{}\n");
        await runInit(join(folder, "Infra"), { ...plain, language: "typescript" });
        assert.deepEqual(await read("Infra", "package.json"), {
            ...{ name: "infra", version: "0.0.0", private: true, scripts: {} },
        });
        await runInit(join(folder, "yaml"), plain);
        assert.ok(!(await readdir(join(folder, "yaml"))).includes("package.json"));
    });

    it("writes nothing in place of a link whose target is missing", async () => {
        await symlink(join(folder, "missing"), join(folder, "package.json"));
        await symlink(join(folder, "missing"), join(folder, ".gitignore"));
        await runInit(folder, { ...plain, language: "typescript" });
        assert.match(printed, /^Did not change \S+\/package\.json\.$/m);
        assert.match(printed, /^Did not change \S+\/\.gitignore\.$/m);
    });

    it("does not change an existing .gitignore or package.json, and reports that they are unchanged", async () => {
        await writeFile(join(folder, ".gitignore"), "mine\n");
        await writeFile(join(folder, "package.json"), "{}\n");
        await runInit(folder, { ...plain, language: "typescript" });
        assert.equal(await readFile(join(folder, ".gitignore"), "utf8"), "mine\n");
        assert.equal(await readFile(join(folder, "package.json"), "utf8"), "{}\n");
        assert.match(printed, /Did not change \S+\.gitignore: add /);
    });

    it("suggests a command that installs the folder's packed package and all missing packages", async () => {
        await writeFile(join(folder, "pulumi-static-export-0.3.0.tgz"), "");
        await mkdir(join(folder, "node_modules", "typescript"), { recursive: true });
        await writeFile(join(folder, "node_modules", "typescript", "package.json"), '{ "version": "6.0.3" }');
        await runInit(folder, { ...plain, language: "typescript" });
        assert.match(printed, /^ {2}npm install \.\/pulumi-static-export-0\.3\.0\.tgz "@pulumi\/pulumi@\^3\.\d+\.0"$/m);
    });

    it("suggests the packed package of its own version if there are several", async () => {
        const { version } = readManifest();
        await writeFile(join(folder, "pulumi-static-export-0.0.1.tgz"), "");
        await writeFile(join(folder, `pulumi-static-export-${version}.tgz`), "");
        await runInit(folder, { ...plain, language: "typescript" });
        assert.ok(printed.includes(` ./pulumi-static-export-${version}.tgz `), printed);
    });

    it("suggests a plugin path without ./, because Pulumi cannot copy a path with ./", async () => {
        await mkdir(join(folder, "static-export-plugin"));
        await runInit(folder, plain);
        assert.match(printed, /plugin install .* --file static-export-plugin$/m);
    });

    it("never suggests a package name that the project has not registered", async () => {
        await runInit(folder, { ...plain, language: "typescript" });
        assert.match(printed, /npm install \.\/pulumi-static-export-\S+\.tgz /);
    });

    it("writes the chart's path in the form that the program needs", async () => {
        await mkdir(join(folder, "chart"));
        await writeFile(join(folder, "chart", "Chart.yaml"), "");
        await runInit(join(folder, "site"), { ...plain, for: "cluster", chart: join(folder, "chart") });
        const { config } = (await read("site", "Pulumi.dev.yaml")) as { config: object };
        assert.deepEqual(Object.entries(config).at(-1), ["site:chart", "../chart"]);
    });

    for (const [what, options, message] of [
        ["a domain with a scheme", { domain: "https://docs.example.com" }, /must be a host name only/],
        ["a bucket without a name", { for: "bucket" }, /--for bucket needs --bucket/],
        [
            "an address instead of a bucket's name",
            { for: "bucket", bucket: "s3://docs" },
            /must be the name of a bucket/,
        ],
        ["the name of a bucket without --for bucket", { bucket: "docs" }, /--bucket needs --for bucket/],
        ["a cluster without a chart", { for: "cluster" }, /needs --chart: the folder charts\/documentation-site/],
        ["a chart that does not exist", { for: "cluster", chart: "./chart" }, /there is no chart[\\/]Chart\.yaml/],
        ["a chart that is not needed", { chart: "./chart" }, /--chart needs --for cluster/],
        ["an address without a scheme", { baseUrl: "localhost:8787" }, /must be an address such as http:/],
        ["the name of a stack with a slash", { stack: "org/dev" }, /--stack is "org\/dev", but it must have/],
    ] as const) {
        it(`rejects ${what}, and writes nothing`, async () => {
            await assert.rejects(runInit(folder, { ...plain, ...options }), (error: Error) => {
                assert.ok(error instanceof UsageError);
                assert.match(error.message, message);
                return true;
            });
            assert.deepEqual(await readdir(folder), []);
        });
    }

    for (const target of targets) {
        for (const language of languages) {
            it(`declares every setting that the program reads: ${target} in ${language}`, () => {
                const files = writeProject({
                    ...{ name: "docs", stack: "dev", target, language },
                    ...{ baseUrl: "https://api.example.com", domain: "docs.example.com" },
                    ...{ bucket: "docs", chart: "./chart" },
                });
                const { config } = parse(files["Pulumi.dev.yaml"]!) as { config: Record<string, string> };
                const program = files["index.ts"] ?? files["__main__.py"] ?? files["Pulumi.yaml"]!;
                const used =
                    language === "yaml"
                        ? [...program.matchAll(/\$\{(\w+)\}/g)]
                        : [...program.matchAll(/config\.require\("(\w+)"\)/g)];
                const settings = Object.keys(config).flatMap((key) => /^docs:(.*)/.exec(key)?.[1] ?? []);
                assert.deepEqual([...new Set(used.map(([, name]) => name))].sort(), settings.sort());
            });
        }
    }
});

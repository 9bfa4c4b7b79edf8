import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkOperation } from "../../../cli/src/doctor/check-operation.js";
import { createExamination } from "../../../cli/src/doctor/examination.js";
import { type Finding } from "../../../cli/src/doctor/finding.js";
import { type Reply, withServer } from "../../sdk/support/http-server.js";
import { run, withFolder } from "../support/command.js";

interface Examined {
    exitCode: number | null;
    about: (check: string) => Finding[];
}

/** Runs `static-export doctor` where neither Pulumi nor git nor bubblewrap is installed. */
async function doctor(
    files: Readonly<Record<string, string | Buffer>>,
    args: readonly string[] = [],
    settings: Record<string, string> = {},
): Promise<Examined> {
    let examined: Examined | undefined;
    await withFolder(async (folder) => {
        for (const [file, text] of Object.entries(files)) {
            await mkdir(join(folder, file, ".."), { recursive: true });
            await writeFile(join(folder, file), text);
        }
        await mkdir(join(folder, "bin"));
        const env = { PATH: join(folder, "bin"), HOME: folder, STATIC_EXPORT_BASE_URL: "", ...settings };
        const { exitCode, stdout, stderr } = await run(folder, ["doctor", "--json", ...args], env);
        assert.equal(stderr, "");
        const findings = JSON.parse(stdout) as Finding[];
        examined = { exitCode, about: (check) => findings.filter((finding) => finding.check === check) };
    });
    assert.ok(examined);
    return examined;
}

describe("static-export doctor for a writer", () => {
    for (const [name, file] of [
        ["docs", "docs/docs.json"],
        [".", "docs.json"],
    ]) {
        it(`needs neither Pulumi nor an address, and checks the settings: ${file}`, async () => {
            const { exitCode, about } = await doctor({ [String(file)]: "{}", [join(name!, "index.md")]: "# Home" });
            assert.equal(exitCode, 0);
            assert.deepEqual(about("documentation"), [{ check: "documentation", status: "ok", found: file }]);
            assert.deepEqual(
                ["Pulumi", "address", "key"].map((check) => about(check)[0]?.status),
                ["skipped", "skipped", "skipped"],
            );
        });
    }

    it("names what is wrong with the settings, and exits with 1", async () => {
        const { exitCode, about } = await doctor({ "docs/docs.json": '{\n  "name": "Docs",\n  oops\n}' });
        assert.equal(exitCode, 1);
        const [finding] = about("documentation");
        assert.match(finding?.found ?? "", /^docs\/docs\.json cannot be read: .*line 3/);
        assert.equal(finding?.fix, "Correct the file: static-export build docs names the line.");
    });

    for (const [what, settings, found] of [
        ["settings that are a list", "[]", "docs.json:1: the file must contain one JSON object"],
        ["a navigation without an existing page", '{ "navigation": { "pages": ["gone"] } }', "docs.json:1: navigation"],
    ] as const) {
        it(`reports a site that cannot be built, as build does: ${what}`, async () => {
            const { exitCode, about } = await doctor({ "docs/docs.json": settings });
            assert.equal(exitCode, 1);
            const [finding] = about("documentation");
            assert.ok(finding?.found.startsWith(`docs cannot be built: ${found}`), finding?.found);
        });
    }

    it("ends no command with the name of the folder and a full stop, which names the folder above", async () => {
        const { about } = await doctor({ "docs.json": '{ "navigation": { "pages": ["gone"] } }' });
        assert.equal(about("documentation")[0]?.fix, "Correct it, and run static-export build . again.");
    });

    it("does not plan a site that another program builds", async () => {
        const builder = "build:\n  command: mkdocs build\n  outputFolder: site\n";
        const { about } = await doctor({
            "docs.json": '{ "navigation": { "pages": ["gone"] } }',
            ".static-export.yaml": builder,
        });
        assert.equal(about("documentation")[0]?.status, "ok");
    });

    it("reads settings that an editor of Windows wrote", async () => {
        const { about } = await doctor({ "docs.json": Buffer.from("\uFEFF{}", "utf16le") });
        assert.equal(about("documentation")[0]?.status, "ok");
    });

    it("still demands Pulumi and an address next to a program", async () => {
        const { exitCode, about } = await doctor({ "docs/index.md": "# Home", "Pulumi.yaml": "runtime: yaml\n" });
        assert.equal(exitCode, 1);
        assert.deepEqual(
            ["Pulumi", "address"].map((check) => about(check)[0]?.status),
            ["error", "error"],
        );
    });
});

describe("static-export doctor for an operator", () => {
    const sitesFile = ["--sites-file", "sites"];

    it("checks every entry of the sites file", async () => {
        const sites = "docs.example.com=./docs\nwrong\nhelp.example.com=./missing\n";
        const { exitCode, about } = await doctor({ "docs/index.md": "# Home", sites }, sitesFile);
        assert.equal(exitCode, 1);
        const faults = about("sites").map(({ found }) => found);
        assert.equal(faults.length, 2, faults.join("\n"));
        assert.match(faults[0] ?? "", /^Sites file sites, line 2: /);
        assert.match(faults[1] ?? "", /^Sites file sites, line 3: Site help\.example\.com: there is no folder /);
    });

    it("needs git only for repositories, and a sandbox only for builds", async () => {
        const docs = { "docs/index.md": "# Home" };
        const folder = await doctor({ ...docs, sites: "docs.example.com=./docs" }, sitesFile);
        assert.equal(folder.exitCode, 0);
        assert.deepEqual(
            ["sites", "git", "sandbox"].map((check) => folder.about(check)[0]?.status),
            ["ok", "skipped", "skipped"],
        );
        const repository = "git+https://git.example.com/acme/docs.git#main";
        const sites = `docs.example.com:\n  source: ${repository}\n  build: true\n`;
        const built = await doctor({ ...docs, sites }, sitesFile);
        assert.equal(built.exitCode, 1);
        assert.equal(built.about("git")[0]?.fix, "Install git, which fetches the sites of repositories.");
        assert.match(built.about("sandbox")[0]?.found ?? "", /needs bubblewrap, which cannot be started/);
    });

    it("reports a sites file that does not exist", async () => {
        const { exitCode, about } = await doctor({}, sitesFile);
        assert.equal(exitCode, 1);
        assert.match(about("sites")[0]?.found ?? "", /^Sites file sites cannot be read \(ENOENT\)/);
    });

    it("reports the free space for a data folder that the service will create", async () => {
        const { about } = await doctor({}, ["--data-dir", "var/data"]);
        assert.match(about("disk")[0]?.found ?? "", /^[\d.,]+ \S+ free for var\/data$/);
    });

    describe("asks each repository for its branch, as its user:", () => {
        async function about(sites: (folder: string) => string, prepare?: (folder: string) => Promise<unknown>) {
            let findings: Finding[] = [];
            await withFolder(async (folder) => {
                const repository = join(folder, "pages.git");
                const git = async (...args: string[]) =>
                    (await promisify(execFile)("git", ["-C", repository, ...args])).stdout.trim();
                await mkdir(repository);
                await git("init", "--quiet", "--bare", "--initial-branch=main");
                const author = ["-c", "user.name=me", "-c", "user.email=me@example.com"];
                const commit = await git(...author, "commit-tree", "-m", "First page", await git("write-tree"));
                await git("update-ref", "refs/heads/main", commit);
                await prepare?.(folder);
                await writeFile(join(folder, "sites"), sites(folder));
                const options = { cwd: folder, sitesFile: join(folder, "sites") };
                const found = await checkOperation(createExamination(options, process.env));
                findings = found.filter(({ check }) => check === "git");
            });
            return findings;
        }

        it("reports the version of git if all can be fetched", async () => {
            const [finding, ...others] = await about(
                (folder) =>
                    `a.example.com=git+file://${folder}/pages.git#main\nb.example.com=git+file://${folder}/pages.git`,
            );
            assert.deepEqual([finding?.status, others], ["ok", []]);
            assert.match(finding?.found ?? "", /^2\.\S+; 2 repositories can be fetched as user \w+$/);
        });

        it("names a missing branch and a missing repository", async () => {
            const findings = await about((folder) =>
                ["pages.git#main", "pages.git#draft", "gone.git#main"]
                    .map((place, index) => `${index}.example.com=git+file://${folder}/${place}`)
                    .join("\n"),
            );
            assert.deepEqual(
                findings.map(({ status }) => status),
                ["error", "error"],
            );
            assert.match(
                findings[0]?.found ?? "",
                /^as user \w+, 1\.example\.com: Branch draft of file.* does not exist$/,
            );
            assert.match(findings[0]?.fix ?? "", /correct it, or push the branch\.$/);
            assert.match(
                findings[1]?.found ?? "",
                /, 2\.example\.com: Branch main of .*\/gone\.git cannot be fetched: .*$/,
            );
            assert.equal(findings[1]?.fix, "Check the site's address, and the owner of the repository.");
        });

        it("names a repository that belongs to somebody else", async function () {
            if (process.getuid?.() !== 0) {
                this.skip();
            }
            const [finding] = await about(
                (folder) => `docs.example.com=git+file://${folder}/pages.git#main`,
                (folder) => chown(join(folder, "pages.git"), 4321, 4321),
            );
            assert.equal(finding?.status, "error");
            assert.match(finding.found, /pages\.git belongs to another user of this machine/);
        });

        it("sends a forge's token only if --git-token-env names it, and never prints it", async () => {
            const askPassword: Reply = (response) => {
                response.writeHead(401, { "www-authenticate": 'Basic realm="Git"' }).end();
            };
            await withServer([askPassword], async ({ baseUrl, requests }) => {
                const files = {
                    "docs/index.md": "# Home",
                    sites: `docs.example.com=git+${baseUrl}/acme/docs.git#main`,
                };
                const env = { DOCS_GIT_TOKEN: "forge_5ecret", PATH: process.env["PATH"] ?? "" };
                const tokens = ["--git-token-env", `${baseUrl}=DOCS_GIT_TOKEN`];
                for (const [args, sent] of [
                    [[], [undefined]],
                    [tokens, [undefined, "Basic"]],
                ] as const) {
                    requests.length = 0;
                    const { exitCode, about } = await doctor(files, [...sitesFile, ...args], env);
                    assert.equal(exitCode, 1);
                    const [finding] = about("git");
                    assert.match(finding?.fix ?? "", /the token that --git-token-env names\.$/);
                    assert.doesNotMatch(JSON.stringify(finding), /5ecret/);
                    assert.deepEqual(
                        requests.map(({ headers }) => headers.authorization?.split(" ")[0]),
                        sent,
                    );
                }
            });
        });
    });
});

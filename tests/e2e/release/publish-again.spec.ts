import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    type CommandError,
    ensurePythonPrograms,
    ensureTool,
    pythonPrograms,
    run,
} from "@pulumi-static-export/toolchain";
import { publishCharts, publishGo, publishNpm, publishPython } from "../../../dev/release/publish.js";
import {
    type Registry,
    startChartRegistry,
    startNpmRegistry,
    startPythonRegistry,
} from "../../../dev/release/registries.js";

/** Writes a wheel, which is a zip file. */
const writeWheel = `import sys, zipfile
info = "tiny-1.0.0.dist-info/"
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name, text in {
        "tiny.py": sys.argv[2],
        info + "METADATA": "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0.0\\n",
        info + "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        info + "RECORD": "",
    }.items():
        wheel.writestr(zipfile.ZipInfo(name), text)
`;

describe("publishing a release again", function () {
    this.timeout(10 * 60_000);
    let work: string;
    let release: string;
    let npm: Registry;
    let charts: Registry;
    let python: Registry | undefined;
    let printed: string[];
    const { log } = console;

    before(async () => {
        work = await mkdtemp(join(tmpdir(), "static-export-publish-"));
        release = join(work, "release");
        await writeRelease("first");
        npm = await startNpmRegistry(join(work, "npm"));
        charts = await startChartRegistry(join(work, "charts"));
        const { url } = npm;
        await writeFile(join(work, "npmrc"), `registry=${url}/\n${url.replace("http:", "")}/:_authToken=anybody\n`);
        await run("git", ["init", "--quiet", "--bare", join(work, "remote")]);
        await run("git", ["clone", "--quiet", join(work, "remote"), join(work, "clone")]);
        const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        await run("git", ["-C", join(work, "clone"), ...author, "commit", "--quiet", "--allow-empty", "-m", "start"]);
    });

    beforeEach(() => {
        printed = [];
        console.log = (line: string) => void printed.push(line);
    });

    afterEach(() => {
        console.log = log;
    });

    after(async () => {
        for (const server of [npm, charts, python]) {
            await server?.stop();
        }
        await rm(work, { recursive: true, force: true, maxRetries: 5 });
    });

    /** A package of each kind, with a text in it. */
    async function writeRelease(text: string): Promise<void> {
        const sources = join(work, "sources");
        const write = async (folder: string, files: Record<string, string>) => {
            await mkdir(folder, { recursive: true });
            await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
        };
        await write(join(sources, "npm"), {
            "package.json": `{ "name": "tiny", "version": "1.0.0", "author": "${text}" }`,
        });
        await write(join(sources, "tiny"), {
            "Chart.yaml": `apiVersion: v2\nname: tiny\nversion: 1.0.0\ndescription: ${text}\n`,
        });
        await write(join(release, "go"), { "go.mod": `module example.com/${text}\n` });
        for (const kind of ["npm", "python", "charts"]) {
            await mkdir(join(release, kind), { recursive: true });
        }
        await run("npm", ["pack", join(sources, "npm"), "--pack-destination", join(release, "npm")]);
        await run(await ensureTool("helm"), ["package", join(sources, "tiny"), "-d", join(release, "charts")]);
        const interpreter = join(await ensurePythonPrograms(pythonPrograms), "python");
        await run(interpreter, ["-c", writeWheel, join(release, "python", "tiny-1.0.0-py3-none-any.whl"), text]);
    }

    const registry = () => `oci://${charts.url.replace("http://", "")}/charts`;
    const publishers = {
        npm: () => publishNpm(release, [], { env: { npm_config_userconfig: join(work, "npmrc") } }),
        python: () => {
            const url = python?.url ?? "http://127.0.0.1:9";
            const upload = ["--repository-url", url, "--username", "a", "--password", "a"];
            return publishPython(release, upload, `${url}/simple/`);
        },
        charts: () => publishCharts(release, registry(), ["--plain-http"]),
        go: () => publishGo(release, "1.0.0", join(work, "clone")),
    };
    const publish = async () => {
        for (const each of Object.values(publishers)) {
            await each();
        }
    };

    it("publishes the rest when a registry did not answer, and then nothing", async () => {
        await assert.rejects(publish());
        assert.deepEqual(printed.splice(0), ["Published tiny@1.0.0."]);

        python = await startPythonRegistry(join(work, "python"));
        await publish();
        assert.deepEqual(printed.splice(0), [
            "tiny@1.0.0 is published already.",
            "Published tiny 1.0.0 for Python.",
            "Published Chart tiny 1.0.0.",
            "Published Tag sdk/go/v1.0.0.",
        ]);

        await publish();
        assert.deepEqual(
            printed.filter((line) => !line.endsWith(" is published already.")),
            [],
        );
        assert.equal(printed.length, 4);
    });

    for (const [kind, publishKind] of Object.entries(publishers)) {
        it(`rejects other contents under a published version: ${kind}`, async () => {
            await writeRelease("second");
            await assert.rejects(publishKind(), /is published already, with other contents \(/);
        });
    }

    it("does not replace a chart when it cannot read the published one", async () => {
        await charts.stop();
        await assert.rejects(publishers.charts(), (error: CommandError) => /refused/.test(error.stderr));
    });
});

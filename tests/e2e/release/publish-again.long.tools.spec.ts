import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
    type CommandError,
    ensurePythonPrograms,
    ensureTool,
    pythonPrograms,
    run,
} from "@pulumi-static-export/toolchain";
import { publishMaven } from "../../../dev/release/publish/maven-central.js";
import { publishCharts, publishGo, publishNpm, publishPython } from "../../../dev/release/publish/publish.js";
import {
    createSigningKey,
    type Registry,
    startChartRegistry,
    startMavenRegistry,
    startNpmRegistry,
    startPythonRegistry,
} from "../../../dev/release/rehearsal/registries.js";
import { sbomOf } from "../../../dev/release/artifacts/sboms.js";
import { createCosignKey, type Signing } from "../../../dev/release/publish/sign.js";

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

describe("a repeated publication of a release", function () {
    this.timeout(10 * 60_000);
    let work: string;
    let release: string;
    let npm: Registry;
    let charts: Registry;
    let maven: Registry;
    let signingKey: Awaited<ReturnType<typeof createSigningKey>>;
    let signing: Signing;
    let python: Registry | undefined;
    let printed: string[];
    const { log } = console;

    before(async () => {
        work = await mkdtemp(join(tmpdir(), "static-export-publish-"));
        release = join(work, "release");
        await writeRelease("first");
        npm = await startNpmRegistry(join(work, "npm"));
        charts = await startChartRegistry(join(work, "charts"));
        maven = await startMavenRegistry(join(work, "maven"));
        signingKey = await createSigningKey(join(work, "gnupg"));
        signing = await createCosignKey(work);
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
        for (const server of [npm, charts, maven, signingKey, python]) {
            await server?.stop();
        }
        await rm(work, { recursive: true, force: true, maxRetries: 5 });
    });

    /** Writes a package of each kind that contains the text. */
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
        const java = join(
            release,
            "maven",
            "io",
            "github",
            "tinyowner",
            "static-export",
            "1.0.0",
            "static-export-1.0.0",
        );
        await write(dirname(java), {
            [basename(`${java}.jar`)]: text,
            [basename(`${java}.jar.sha1`)]: createHash("sha1").update(text).digest("hex"),
        });
        await write(join(release, "go"), { "go.mod": `module example.com/${text}\n` });
        for (const kind of ["npm", "python", "charts", "sbom"]) {
            await mkdir(join(release, kind), { recursive: true });
        }
        await writeFile(sbomOf(release, "tiny-1.0.0.tgz"), '{ "bomFormat": "CycloneDX", "specVersion": "1.6" }\n');
        await run("npm", ["pack", join(sources, "npm"), "--pack-destination", join(release, "npm")]);
        await run(await ensureTool("helm"), ["package", join(sources, "tiny"), "-d", join(release, "charts")]);
        const interpreter = join(await ensurePythonPrograms(pythonPrograms), "python");
        await run(interpreter, ["-c", writeWheel, join(release, "python", "tiny-1.0.0-py3-none-any.whl"), text]);
    }

    const registry = () => `${charts.url.replace("http://", "")}/charts`;
    const publishers = {
        npm: () => publishNpm(release, [], { env: { npm_config_userconfig: join(work, "npmrc") } }),
        python: () => {
            const url = python?.url ?? "http://127.0.0.1:9";
            const upload = ["--repository-url", url, "--username", "a", "--password", "a"];
            return publishPython(release, upload, `${url}/simple/`);
        },
        charts: () => publishCharts(release, registry(), signing, { isPlainHttp: true }),
        java: () => {
            const central = { portal: maven.url, repository: maven.url, token: "a:a", gnupgHome: signingKey.folder };
            return publishMaven(release, "tiny-owner", "1.0.0", central);
        },
        go: () => publishGo(release, "1.0.0", join(work, "clone")),
    };
    const publish = async () => {
        for (const each of Object.values(publishers)) {
            await each();
        }
    };

    it("publishes the missing packages after a registry outage, and nothing if no package is missing", async () => {
        await assert.rejects(publish());
        assert.deepEqual(printed.splice(0), ["Published tiny@1.0.0."]);

        python = await startPythonRegistry(join(work, "python"));
        await publish();
        const chart = /^\S+\/charts\/tiny@sha256:\w{64}/;
        assert.deepEqual(
            printed.splice(0).map((line) => line.replace(chart, "Its digest")),
            [
                "tiny@1.0.0 is published already.",
                "Published tiny 1.0.0 for Python.",
                "Published Chart tiny 1.0.0.",
                "Its digest is signed.",
                "Its digest is published with its SBOM.",
                "Published static-export-1.0.0 for Java.",
                "Published Tag sdk/go/v1.0.0.",
            ],
        );

        await publish();
        assert.deepEqual(
            printed.filter((line) => !/ (published|signed|with its SBOM) already\.$/.test(line)),
            [],
        );
        assert.equal(printed.length, 7);
    });

    for (const [kind, publishKind] of Object.entries(publishers)) {
        it(`rejects different contents for a published version: ${kind}`, async () => {
            await writeRelease("second");
            await assert.rejects(publishKind(), /is published already, with different contents \(/);
        });
    }

    it("does not replace a chart if the published chart cannot be read", async () => {
        await charts.stop();
        await assert.rejects(publishers.charts(), (error: CommandError) => /refused/.test(error.stderr));
    });
});

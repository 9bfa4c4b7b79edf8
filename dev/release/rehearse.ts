/**
 * npm run release:rehearse: builds a release, publishes it to registries on this machine, installs it in empty projects as
 * docs/installation-configuration.md says, runs their programs on the real engine, upgrades them from a previous version,
 * and removes everything. No earlier release exists yet, so the previous version is this code under an earlier number.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { ensurePulumi, ensurePythonPrograms, ensureTool, pythonPrograms, run } from "@pulumi-static-export/toolchain";
import { buildPlugin, buildRelease, buildSdks, type Release } from "./build-release.js";
import { nextVersion } from "./build-version.js";
import { packPackages } from "./pack.js";
import { publishCharts, publishGo, publishNpm, publishPython } from "./publish.js";
import {
    type Registry,
    startChartRegistry,
    startFileServer,
    startNpmRegistry,
    startPythonRegistry,
} from "./registries.js";
import { RehearsalProject, titledBlocks } from "./rehearsal-project.js";

const owner = "rehearsal-owner";
const platform = "linux-amd64";
const programInNode = `import { StaticExportBundle } from "pulumi-static-export";

export const { jobId } = new StaticExportBundle("docs", { domain: "docs.example.com", version: "2026-11-01" });
`;

const work = mkdtempSync(join(tmpdir(), "static-export-rehearsal-"));
const next: Release = { version: nextVersion(), owner, folder: join(work, "next") };
const previous: Release = { version: "0.0.1", owner, folder: join(work, "previous") };
const installing = titledBlocks("docs/installation-configuration.md", owner);
const programs = titledBlocks("docs/guides/every-language.md", owner);
const startedMs = performance.now();
const cleanUps: (() => Promise<unknown> | void)[] = [() => rmSync(work, { recursive: true, force: true })];

async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
    const beganMs = performance.now();
    const result = await action();
    console.log(`✓ ${name} (${((performance.now() - beganMs) / 1000).toFixed(1)} s)`);
    return result;
}

function stopLater<Server extends Registry>(server: Server): Server {
    cleanUps.unshift(() => server.stop());
    return server;
}

async function rehearse(): Promise<void> {
    await step(`build ${next.version}`, () => buildRelease(next, [platform]));
    await step(`build ${previous.version}`, async () => {
        packPackages(join(previous.folder, "npm"), [previous.version], owner);
        await buildSdks(previous, await buildPlugin(previous, []));
    });

    const npm = stopLater(await startNpmRegistry(join(work, "npm")));
    const python = stopLater(await startPythonRegistry(join(work, "python")));
    const charts = stopLater(await startChartRegistry(join(work, "charts")));
    const downloads = stopLater(await startFileServer(join(next.folder, "plugin")));

    const { env: engine } = await ensurePulumi();
    const pythonHost = dirname(await ensureTool("pulumi-language-python"));
    const pythonBin = await ensurePythonPrograms(pythonPrograms);
    const yamlHost = dirname(await ensureTool("pulumi-language-yaml"));
    const installed = join(work, "python-packages");
    const npmrc = `@${owner}:registry=${npm.url}/\n${npm.url.replace("http:", "")}/:_authToken=anybody\n`;
    const env: Record<string, string> = {
        ...engine,
        PATH: [pythonBin, pythonHost, yamlHost, engine["PATH"]].join(delimiter),
        HOME: join(work, "home"),
        npm_config_cache: (await run("npm", ["config", "get", "cache"])).trim(),
        npm_config_prefer_offline: "true",
        npm_config_audit: "false",
        npm_config_fund: "false",
        PULUMI_HOME: join(work, "pulumi"),
        PULUMI_CONFIG_PASSPHRASE: "rehearsal",
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        PULUMI_SKIP_CONFIRMATIONS: "true",
        PIP_INDEX_URL: `${python.url}/simple/`,
        PIP_TARGET: installed,
        PIP_NO_DEPS: "1",
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
        PYTHONPATH: installed,
        STATIC_EXPORT_JOURNAL_DIR: join(work, "journal"),
    };
    const project = (name: string) => {
        const created = new RehearsalProject(join(work, "projects", name), env);
        created.write({ ".npmrc": npmrc });
        return created;
    };
    const publisher = project("publisher");
    const publish = async ({ folder }: Release) => {
        await publishNpm(folder, [], { cwd: publisher.folder, env });
        await publishPython(folder, ["--repository-url", python.url, "--username", "a", "--password", "a"]);
    };

    await step(`publish ${previous.version}`, () => publish(previous));
    const service = await step("install the command, and serve a site", async () => {
        const folder = project("service");
        folder.write({ "docs/index.md": "# Welcome\n\nHello.\n", "docs/docs.json": '{ "name": "Docs" }\n' });
        await folder.type(installing["command"]!);
        return startService(folder, env);
    });
    const settings = { ...env, STATIC_EXPORT_BASE_URL: service.url, STATIC_EXPORT_ADMIN_API_KEY: service.key };
    const projects = Object.fromEntries(
        ["node", "yaml", "python"].map((name) => [name, new RehearsalProject(join(work, "projects", name), settings)]),
    ) as Record<"node" | "yaml" | "python", RehearsalProject>;
    projects.node.write({
        ".npmrc": npmrc,
        "package.json": '{ "name": "docs", "private": true, "main": "index.ts" }\n',
        "Pulumi.yaml": "name: docs\nruntime: nodejs\n",
        "index.ts": programInNode,
    });
    projects.yaml.write({ "Pulumi.yaml": programs["yaml/Pulumi.yaml"]! });
    projects.python.write({
        "Pulumi.yaml": programs["python/Pulumi.yaml"]!,
        "__main__.py": programs["python/__main__.py"]!,
    });

    await step("install it in empty projects: TypeScript, YAML, Python", async () => {
        await projects.node.type(`npm install @pulumi/pulumi@3.245.0 typescript@5\n${installing["dynamic"]}`);
        await projects.yaml.type(
            `pulumi plugin install resource static-export ${previous.version} --file ${join(previous.folder, "plugin")}`,
        );
        await projects.python.type(installing["python"]!);
    });
    const jobs = new Map<string, string>();
    for (const [name, each] of Object.entries(projects)) {
        await step(`create: ${name}`, async () => {
            await each.type("pulumi stack init dev\npulumi up --yes --skip-preview");
            jobs.set(name, await each.jobId());
        });
    }

    await step(`publish ${next.version}`, () => publish(next));
    await step("upgrade the projects", async () => {
        await projects.node.type(`${installing["dynamic"]}@latest`);
        await projects.yaml.type(
            installing["plugin"]!.replace("VERSION", next.version).replace(/github:\S+/, downloads.url),
        );
        await projects.python.type(`${installing["python"]} --upgrade`);
    });
    for (const [name, each] of Object.entries(projects)) {
        await step(`nothing changes, then destroy: ${name}`, async () => {
            await each.type("pulumi up --yes --skip-preview --expect-no-changes");
            if ((await each.jobId()) !== jobs.get(name)) {
                throw new Error(`The upgrade exported again: ${name}.`);
            }
            await each.type("pulumi destroy --yes --skip-preview");
        });
    }
    const { version } = JSON.parse(
        readFileSync(join(projects.node.folder, "node_modules/pulumi-static-export/package.json"), "utf8"),
    ) as { version: string };
    if (version !== next.version) {
        throw new Error(`The TypeScript project has ${version} after its upgrade.`);
    }
    await step("install the other npm packages", async () => {
        const folder = project("packages");
        await folder.type([installing["node"], installing["policy"], installing["client"]].join("\n"));
        await folder.type(
            `node -e 'for (const name of ["static-export", "static-export-sdk"]) require("@${owner}/" + name)'`,
        );
    });
    await step("push the charts, and pull them", async () => {
        const registry = `oci://${charts.url.replace("http://", "")}/${owner}/charts`;
        await publishCharts(next.folder, registry, ["--plain-http"]);
        const helm = dirname(await ensureTool("helm"));
        const folder = new RehearsalProject(join(work, "projects", "charts"), {
            ...env,
            PATH: [helm, env["PATH"]].join(delimiter),
        });
        const pulls = installing["charts"]!.replaceAll(`oci://ghcr.io/${owner}/charts`, registry);
        await folder.type(pulls.replace(/$/gm, " --plain-http"));
        await folder.type("helm template docs documentation-site-*.tgz > rendered.yaml");
    });
    await step("tag the Go module, and find it at its path", async () => {
        const folder = project("go");
        await folder.type("git init --quiet --bare origin\ngit clone --quiet origin clone 2>&1");
        const identity = "-c user.name=a -c user.email=a@example.com";
        await folder.type(`git -C clone ${identity} commit --quiet --allow-empty --message start`);
        await publishGo(next.folder, next.version, join(folder.folder, "clone"));
        const goMod = await folder.type(
            `git -C origin show sdk/go/staticexport/v${next.version}:sdk/go/staticexport/go.mod`,
        );
        if (!goMod.startsWith(`module github.com/${owner}/pulumi-static-export/sdk/go/staticexport\n`)) {
            throw new Error(`The tag has another module:\n${goMod}`);
        }
    });
}

/** The service as a user starts it, on a free port. */
async function startService(project: RehearsalProject, env: NodeJS.ProcessEnv): Promise<{ url: string; key: string }> {
    const command = join(project.folder, "node_modules", ".bin", "static-export");
    const child = spawn(command, ["serve", "--site", "docs.example.com=./docs", "--port", "0"], {
        cwd: project.folder,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
    cleanUps.unshift(async () => {
        child.kill("SIGINT");
        await ended;
    });
    let output = "";
    const url = await new Promise<string>((resolve, reject) => {
        const read = (text: Buffer) => {
            output += text.toString();
            const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
            if (found !== undefined && output.includes("Press Ctrl-C")) {
                resolve(found);
            }
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        void ended.then(() => reject(new Error(`The service ended:\n${output}`)));
    });
    return { url, key: readFileSync(join(project.folder, ".static-export", "admin-api-key"), "utf8").trim() };
}

try {
    await rehearse();
    console.log(`The rehearsal took ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`);
} finally {
    for (const cleanUp of cleanUps) {
        await cleanUp();
    }
}
if (existsSync(work)) {
    throw new Error(`${work} remains.`);
}

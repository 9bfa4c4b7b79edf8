/**
 * npm run release:rehearse: builds a release, publishes it to registries on this machine, and installs it in empty
 * projects as docs/installation-configuration.md describes. Then runs the projects' programs on the real engine,
 * upgrades them from a previous version, and removes everything. No earlier release exists, so the previous version is
 * this code under an earlier number.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { buildReleases, type Release } from "../artifacts/build-release.js";
import { nextVersion } from "../names/build-version.js";
import { containerSteps } from "./container-steps.js";
import { buildImage } from "../artifacts/image.js";
import { publishMaven } from "../publish/maven-central.js";
import { publishGo, publishNpm, publishPython } from "../publish/publish.js";
import {
    createSigningKey,
    startChartRegistry,
    startFileServer,
    startMavenRegistry,
    startNpmRegistry,
    startPythonRegistry,
} from "./registries.js";
import { rehearsalEnvironment } from "./rehearsal-environment.js";
import { RehearsalProject, titledBlocks } from "./rehearsal-project.js";
import { rehearsedPrograms } from "./rehearsed-programs.js";
import { writeSboms } from "../artifacts/sboms.js";

const owner = "rehearsal-owner";
const work = mkdtempSync(join(tmpdir(), "static-export-rehearsal-"));
const next: Release = { version: nextVersion(), owner, folder: join(work, "next"), platforms: ["linux-amd64"] };
const previous: Release = { version: "0.0.1", owner, folder: join(work, "previous"), platforms: [] };
const commands = titledBlocks("docs/installation-configuration.md", owner);

/** The clean-up steps, the newest first. */
const cleanUps = [() => rmSync(work, { recursive: true, force: true, maxRetries: 5 })] as (() => unknown)[];

async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
    const startedMs = performance.now();
    const result = await action();
    console.log(`✓ ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
    return result;
}

async function rehearse(): Promise<void> {
    await step(`build ${previous.version} and ${next.version}`, () => buildReleases([previous, next]));

    await step("build the image, and write the SBOMs", async () => {
        await buildImage(next.folder, next.version);
        await writeSboms(next.folder, next.version);
    });

    const started = <Server extends { stop(): Promise<void> }>(server: Server): Server => {
        cleanUps.unshift(() => server.stop());
        return server;
    };
    const npm = started(await startNpmRegistry(join(work, "npm")));
    const python = started(await startPythonRegistry(join(work, "python")));
    const maven = started(await startMavenRegistry(join(work, "maven")));
    const signingKey = started(await createSigningKey(join(work, "gnupg")));
    const charts = started(await startChartRegistry(join(work, "charts")));
    const downloads = started(await startFileServer(join(next.folder, "plugin")));
    const repository = join(work, "repository");
    const pythonIndex = `${python.url}/simple/`;
    const env = await rehearsalEnvironment({ work, owner, pythonIndex, mavenRepository: maven.url, repository });
    const npmrc = `@${owner}:registry=${npm.url}/\n${npm.url.replace("http:", "")}/:_authToken=anybody\n`;
    const project = (name: string, files: Readonly<Record<string, string>> = {}, settings = env) =>
        new RehearsalProject(join(work, "projects", name), settings, { ".npmrc": npmrc, ...files });

    const publisher = project("publisher");
    await publisher.type(`git init --quiet --bare ${repository}
git clone --quiet ${repository} clone 2> /dev/null
git -C clone -c user.name=a -c user.email=a@example.com commit --quiet --allow-empty --message start
git -C clone push --quiet origin HEAD`);
    const pythonUpload = ["--repository-url", python.url, "--username", "a", "--password", "a"];
    const publish = async ({ folder, version }: Release) => {
        await publishNpm(folder, [], { cwd: publisher.folder, env });
        await publishPython(folder, pythonUpload, pythonIndex);
        const central = { portal: maven.url, repository: maven.url, token: "a:a", gnupgHome: signingKey.folder };
        await publishMaven(folder, owner, version, central);
        await publishGo(folder, version, join(publisher.folder, "clone"));
    };
    await step(`publish ${previous.version}`, () => publish(previous));

    const service = await step("install the command, and serve a site", async () => {
        const folder = project("service", { "docs/index.md": "# Welcome\n", "docs/docs.json": '{ "name": "Docs" }\n' });
        await folder.type(commands("command"));
        return startService(folder, env);
    });
    const settings = { ...env, STATIC_EXPORT_BASE_URL: service.url, STATIC_EXPORT_ADMIN_API_KEY: service.key };
    const programs = rehearsedPrograms({ previous, next, npmrc, downloads: downloads.url }).map((program, index) => ({
        ...program,
        project: project(`program-${index}`, program.files, settings),
        jobId: "",
    }));
    for (const program of programs) {
        await step(`install ${previous.version} and create: ${program.name}`, async () => {
            await program.project.type(`${program.install}\npulumi stack init dev\npulumi up --yes`);
            program.jobId = await program.project.jobId();
        });
    }

    await step(`publish ${next.version}`, () => publish(next));
    for (const program of programs) {
        await step(`upgrade, without a change: ${program.name}`, async () => {
            await program.project.type(`${program.upgrade}\npulumi up --yes --skip-preview --expect-no-changes`);
            if ((await program.project.jobId()) !== program.jobId) {
                throw new Error(`The upgrade exported again: ${program.name}.`);
            }
        });
    }
    await step("preview with the policy pack", async () => {
        const { project: node } = programs.find(({ name }) => name === "TypeScript, dynamic resources")!;
        // Uses the pack's file, because the toolchain's language host for Node.js does not run folders.
        const pack = `node_modules/@${owner}/static-export-policy/bin/policy-pack.mjs`;
        const output = await node.type(`${commands("policy")}\npulumi preview --policy-pack ${pack}`);
        if (!output.includes(`pulumi-static-export@v${next.version}`)) {
            throw new Error(`The preview ran no policy:\n${output}`);
        }
    });
    for (const program of programs) {
        await step(`destroy: ${program.name}`, () => program.project.type("pulumi destroy --yes --skip-preview"));
    }
    await step("install the client, and import it", () =>
        project("client").type(`${commands("client")}\nnode -e 'require("@${owner}/static-export-sdk")'`),
    );
    const registry = `${charts.url.replace("http://", "")}/${owner}`;
    for (const [name, action] of Object.entries(containerSteps(next, registry, project("containers")))) {
        await step(name, action);
    }
}

/** Starts the service as a user would, on a free port. */
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

async function cleanUp(): Promise<void> {
    for (const each of cleanUps.splice(0)) {
        await each();
    }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
const startedMs = performance.now();
try {
    await rehearse();
    console.log(`The rehearsal took ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`);
} finally {
    await cleanUp();
}

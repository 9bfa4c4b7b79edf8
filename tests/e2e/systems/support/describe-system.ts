import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../../cli/support/command.js";
import { ScriptedExporter } from "../../../service/support/scripted-exporter.js";
import { waitUntil } from "../../../wait-until.js";
import { findSpecs, groupSpecs, isInTest, isUnit } from "../../../../dev/test-run/groups.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";
import { compileWorkspace } from "./compiled-workspace.js";
import { type System } from "./system.js";

/** Programs start slowly on another system. */
const withinMs = 5 * 60_000;
const guide = fileURLToPath(new URL("../../../../docs", import.meta.url));

/** A folder of tests/ whose specs run on a system. */
export interface FolderOfSpecs {
    readonly name: string;
    /** The titles that do not run there. */
    readonly excluded?: readonly string[];
    /** Whether random specs run in their long form, as in `npm run test:all`. */
    readonly isLong: boolean;
}

/** Specs of the commands of writers and operators, and of the provider, on another system. */
export function describeSystem(
    title: string,
    install: (suite: { skip(): void }) => Promise<System>,
    folders: readonly FolderOfSpecs[],
): void {
    describe(title, function () {
        this.timeout(30 * 60_000);
        let system: System;
        let folder: string;
        let compiled: Promise<void> | undefined;

        before(async function () {
            system = await install(this);
        });
        after(() => system?.remove());
        beforeEach(async () => {
            folder = await mkdtemp(join(system.files, "work-"));
        });

        /** A path in the folder, as people type it on the system. */
        const typed = (path: string) => system.pathOf(join(folder, path));
        const succeeds = async (...args: string[]) => {
            const { exitCode, output } = await system.run([system.program, ...args], { cwd: folder });
            assert.equal(exitCode, 0, output);
            return output;
        };

        it("builds the same bytes as this machine: the guide", async () => {
            await cp(guide, join(folder, "docs"), { recursive: true });
            await mkdir(join(folder, "there"));
            await mkdir(join(folder, "here"));
            const build = (to: string) => [
                ...["build", "docs", "--domain", "docs.example.com"],
                ...["--output", `${to}/site`, "--zip", `${to}/site.zip`],
            ];
            await succeeds(...build("there"));
            const { exitCode, stderr } = await run(folder, build("here"));
            assert.equal(exitCode, 0, stderr);
            const [there, here] = [await digestsIn(join(folder, "there")), await digestsIn(join(folder, "here"))];
            assert.ok(Object.keys(here).length > 300, String(Object.keys(here).length));
            assert.deepEqual(there, here);
        });

        for (const { name, excluded = [], isLong } of folders) {
            it(`passes the specs of this folder: ${name}`, async () => {
                const workspace = join(system.files, "workspace");
                await (compiled ??= compileWorkspace(workspace));
                const units = groupSpecs(findSpecs(`tests/${name}`).filter(isInTest)).filter(isUnit);
                const titles = excluded.map((each) => each.replace(/[.?()[\]*+|^$]/g, "\\$&")).join("|");
                const { exitCode, output } = await system.run(
                    [
                        join(workspace, "node_modules/mocha/bin/mocha.js"),
                        ...["--no-config", "--exit", "--timeout=300000", "--reporter=dot"],
                        ...["--require=./tests/fixed-seed.js", "--invert", "--grep", titles || "^$"],
                        ...units.flatMap(({ files }) => files).map((file) => file.replace(/ts$/, "js")),
                    ],
                    {
                        cwd: workspace,
                        env: { SPEC_SCALE: isLong ? "1" : "0", NAPI_RS_NATIVE_LIBRARY_PATH: system.parser },
                    },
                );
                assert.equal(exitCode, 0, output);
                console.log(`      ${/\d+ passing/.exec(output)?.[0]}`);
            });
        }

        it("starts a writer's project, builds it, publishes it twice to a folder, and finds nothing wrong", async () => {
            const output = await succeeds("create", "project", "--kind", "writer", "--no-install", "--no-start");
            assert.match(output.replaceAll("\\", "/"), /^Wrote project\/docs\/index\.md, project\/package\.json/);
            const [docs, place] = [join(folder, "project", "docs"), join(folder, "place")];
            await mkdir(place);
            const address = `file:///${system.pathOf(place).replaceAll("\\", "/").replace(/^\//, "")}`;
            const publish = async () => {
                await succeeds("build", typed("project/docs"), "--output", "site");
                await succeeds("publish", "site", "--to", address);
            };
            await publish();
            await writeFile(join(docs, "new.md"), "# New\n");
            await publish();
            assert.match(await readFile(join(place, "new.html"), "utf8"), /<h1[^>]*>New/);
            assert.match(
                await succeeds("doctor", "--cwd", "project"),
                /^ok +documentation +docs, without docs\.json$/m,
            );
        });

        it("serves a site, and exports it again after a change", async () => {
            await mkdir(join(folder, "docs"));
            const serve = ["serve", "--site", "docs.example.com=docs", "--port", "0"];
            const service = await system.start([system.program, ...serve], { cwd: folder });
            try {
                const url = await waitUntil(
                    "the service listens",
                    async () => /address\s+(http\S+)/.exec(await service.output())?.[1],
                    { withinMs },
                );
                const key = ["--admin-key-file", typed(".static-export/admin-api-key")];
                for (const text of ["One", "Two"]) {
                    await writeFile(join(folder, "docs", "index.md"), `# ${text}\n`);
                    await succeeds("export", "--base-url", url, ...key, "--domain", "docs.example.com", "-o", text);
                    assert.match(
                        await readFile(join(folder, text, "index.html"), "utf8"),
                        new RegExp(`<h1[^>]*>${text}`),
                    );
                }
            } finally {
                service.child.kill("SIGKILL");
            }
        });

        describe("the provider", () => {
            let exporter: ScriptedExporter;
            let platform: Platform;

            beforeEach(async () => {
                exporter = new ScriptedExporter();
                platform = await Platform.start({ exporter });
            });
            afterEach(() => platform.stop());

            const start = (operation: string, ...args: readonly unknown[]) => {
                const env = {
                    STATIC_EXPORT_BASE_URL: platform.service.url,
                    STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                    STATIC_EXPORT_JOURNAL_DIR: system.pathOf(join(folder, "journal")),
                };
                return system.start([system.lifecycle, operation, JSON.stringify(args)], { cwd: folder, env });
            };
            const ends = async ({ child, output }: Awaited<ReturnType<typeof start>>) => {
                assert.deepEqual(await once(child, "exit"), [0, null], await output());
                return JSON.parse((await output()).trim().split("\n").at(-1)!) as { outs: Record<string, unknown> };
            };

            it("creates and updates a bundle; a run that follows a killed one continues its job", async () => {
                const killed = await start("create", { domain });
                const first = await exporter.nth(1);
                await waitUntil("the journal has the job", () => platform.count("get") > 0, { withinMs });
                killed.child.kill("SIGKILL");
                const next = await start("create", { domain });
                await first.complete();
                const { outs } = await ends(next);
                assert.equal(platform.count("start"), 1);
                assert.match(String(outs["bundleUrl"]), /^http/);
                const inputs = { domain, version: "2" };
                const update = await start("update", domain, outs, inputs);
                await (await exporter.nth(2)).complete();
                const { outs: updated } = await ends(update);
                assert.notEqual(updated["jobId"], outs["jobId"]);
                assert.deepEqual(await ends(await start("diff", domain, updated, inputs)), { changes: false });
            });

            it("starts one job for equal exports of several processes", async function () {
                if (system.unknownProcesses !== undefined) {
                    console.log(`      skipped: ${system.unknownProcesses}`);
                    this.skip();
                }
                const runs = await Promise.all(Array.from({ length: 4 }, () => start("create", { domain })));
                const ended = Promise.all(runs.map(ends));
                const heartbeats = async () =>
                    (await readdir(join(folder, "journal"))).filter((name) => name.startsWith("alive."));
                const job = await exporter.nth(1);
                await waitUntil("every process has an entry", async () => (await heartbeats()).length === runs.length, {
                    withinMs,
                });
                await job.complete();
                const jobIds = (await ended).map(({ outs }) => outs["jobId"]);
                assert.deepEqual([new Set(jobIds).size, platform.count("start")], [1, 1]);
            });
        });
    });
}

/** Returns the digest of each file. */
async function digestsIn(folder: string): Promise<Record<string, string>> {
    const digests: Record<string, string> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) {
            const file = join(entry.parentPath, entry.name);
            digests[relative(folder, file)] = createHash("sha256")
                .update(await readFile(file))
                .digest("hex");
        }
    }
    return digests;
}

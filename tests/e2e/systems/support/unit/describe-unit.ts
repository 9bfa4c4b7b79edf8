import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { run } from "@pulumi-static-export/toolchain";
import { isLongest } from "../../../../scale.js";
import { codeBlocks, root } from "../../../../docs/support/documents.js";
import { hostileBuilds } from "../../../../service/builds/hostile/hostile-builds.js";
import { packPackages } from "../../../packages/support/packed-packages.js";
import { type Distribution } from "../distributions.js";
import { installOrSkip } from "../install-or-skip.js";
import { bootSystemd, systemdPackages } from "../systemd-machine.js";
import { type Seen } from "./program.js";

const hostile = join(import.meta.dirname, "../../../../service/builds/hostile");
const user = "static-export";
/** The users of the service; the machine of the specs themselves runs the same builds as root. */
const usersOf = ({ runsAsRoot }: Distribution) => (isLongest && runsAsRoot ? ["root", user] : [user]);

/** A file of the guide, as a reader would save it. */
function fileOf(page: string, title: string): string {
    const block = codeBlocks(page).find((each) => each.title === title);
    assert.ok(block, `${page} has no block ${title}`);
    return `${block.text}\n`;
}

/** The sites of the machine: each kind of hostile build, and a neighbour. */
function sitesFile(kinds: typeof hostileBuilds): string {
    const source = "git+file:///srv/sites.git#main";
    const site = (command: string, limits: object) => ({ source, build: { command, outputFolder: "out", ...limits } });
    const entries = kinds.map(({ kind, limits }): [string, object] => [
        `${kind.replaceAll("_", "-")}.example.com`,
        site(`python3 hostile.py ${kind}`, limits),
    ]);
    return JSON.stringify({
        ...Object.fromEntries(entries),
        "neighbour.example.com": site("python3 neighbour.py", {}),
    });
}

/** Installs what the guide's operator installs, before the machine starts. */
async function prepare(
    machine: string,
    { kinds, users, steps }: { kinds: typeof hostileBuilds; users: readonly string[]; steps: readonly string[] },
): Promise<void> {
    const { cli } = await packPackages();
    await run("npm", ["install", "--global", "--no-audit", "--no-fund", "--prefix", join(machine, "usr/local"), cli]);
    const work = join(machine, "srv/work");
    await cp(hostile, work, { recursive: true });
    const git = (...args: string[]) =>
        run("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd: work });
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", ".");
    await git("commit", "--quiet", "--message=Sites");
    await git("clone", "--quiet", "--bare", ".", join(machine, "srv/sites.git"));
    await mkdir(join(machine, "etc/static-export"));
    await writeFile(join(machine, "etc/static-export/sites"), sitesFile(kinds));
    const unit = fileOf("docs/guides/self-hosted-service.md", "static-export.service");
    await writeFile(join(machine, "etc/systemd/system/static-export.service"), unit);
    // The machine has no network: its packages are installed before.
    const limits = fileOf("docs/guides/your-builder.md", "kernel-limits.sh").replace(/^apt install .*\n/m, "");
    await writeFile(join(machine, "root/users"), users.join("\n"));
    await writeFile(join(machine, "root/kinds"), kinds.map(({ kind }) => kind).join("\n"));
    await writeFile(join(machine, "root/back-up.sh"), fileOf("docs/guides/self-hosted-service.md", "back-up.sh"));
    await writeFile(
        join(machine, "root/prepare.sh"),
        [`useradd --system --home-dir /var/lib/${user} ${user}`, limits, ...steps].join("\n"),
    );
}

/** The limits in the guide's table, and who enforces each of them, by the service's user. */
function limitsInGuide(): Record<string, string[]> {
    const page = readFileSync(join(root, "docs/guides/your-builder.md"), "utf8");
    const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| .+ \| .+ \|$/gm)].map(([, ...cells]) => cells);
    const ofLimits = rows
        .slice(rows.findIndex(([first]) => first === "Limit") + 1)
        .filter(([first]) => first !== "---");
    const lines = (column: 1 | 2) => ofLimits.map((cells) => `${cells[0]}: by ${cells[column]?.replace(/,.*/, "")}`);
    return { root: lines(1), [user]: lines(2) };
}

/** @param kinds the hostile builds that run */
export function describeUnit(distribution: Distribution, kinds: typeof hostileBuilds = hostileBuilds): void {
    const title = `The guide's systemd unit, on ${distribution.name} that the guide's commands have prepared,`;
    describe(title, function () {
        this.timeout(40 * 60_000);
        const users = usersOf(distribution);
        let seen: Seen;

        before(async function () {
            const fault = await distribution.findFault?.();
            if (fault !== undefined) {
                console.log(`      skipped: ${fault}`);
                this.skip();
            }
            await installOrSkip(this, systemdPackages);
            const { outputFiles } = await build({
                entryPoints: [join(import.meta.dirname, "program.ts")],
                bundle: true,
                platform: "node",
                format: "esm",
                write: false,
            });
            const steps = distribution.guideFiles.map((file) => fileOf("docs/guides/your-builder.md", file));
            const lines = await bootSystemd({
                distribution,
                packages: ["bubblewrap", "passt", "uidmap", "git", "python3", "procps", "ca-certificates"],
                prepare: (root) => prepare(root, { kinds, users, steps }),
                program: outputFiles[0]?.text ?? "",
                memoryMegabytes: 2048,
                diskGigabytes: 16,
                timeoutMs: 35 * 60_000,
            });
            const json = lines.flatMap((line) => /SEEN (\{.*\})/.exec(line)?.[1] ?? [])[0];
            assert.ok(json, lines.join("\n"));
            seen = JSON.parse(json) as Seen;
            assert.equal(seen.fault, undefined, lines.join("\n"));
        });

        it("enforces the limits that the guide's table names, and says so in the log and in doctor", () => {
            assert.deepEqual(
                Object.fromEntries(
                    Object.entries(seen.limits).map(([name, lines]) => [
                        name,
                        lines.map((line) => line.replace(/^.*Limit of builds: |\.$/g, "")),
                    ]),
                ),
                Object.fromEntries(users.map((each) => [each, limitsInGuide()[each]])),
            );
            assert.match(
                seen.doctor.join("\n"),
                /^ok +sandbox +builds run in it, and the kernel enforces their limits$/m,
            );
        });

        for (const { kind, error } of kinds) {
            it(`ends a build that takes all it can of ${kind.replaceAll("_", " ")}, and no other build`, () => {
                for (const service of users) {
                    const end = seen.ends.find((each) => each.kind === kind && each.user === service);
                    assert.equal(end?.neighbour, "completed", service);
                    const expected = error === undefined || error.test("stopped") ? /^Cancelled by|of memory\./ : error;
                    assert.match(end.error, expected, service);
                }
            });
        }

        it("runs in one process meanwhile", () => {
            assert.deepEqual(seen.starts, Object.fromEntries(users.map((each) => [each, 1])));
        });

        it("completes an export that a restart interrupts", () => {
            assert.deepEqual(seen.restarted, { status: "completed" });
        });

        it("has the jobs and bundles of its backup after a restore, and no later ones", () => {
            assert.deepEqual(seen.restored, ["completed", 200, 404]);
        });
    });
}

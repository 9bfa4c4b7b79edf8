import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { commands } from "../../../cli/src/run-cli.js";
import { withFolder } from "../../exporter/support/site-fixture.js";
import { bin } from "../support/command.js";

describe("The static-export commands", () => {
    it("are registered under their own names", async () => {
        const names = await Promise.all(Object.values(commands).map(async (load) => (await load()).name));
        assert.deepEqual(names, Object.keys(commands));
    });

    it("store their compiled code in the cache folder of the user, if there is one", async () => {
        await withFolder((folder) => {
            const { PATH } = process.env;
            const run = (env: Record<string, string>) => spawnSync(process.execPath, [bin, "--version"], { env });
            run({ PATH: PATH ?? "" });
            assert.deepEqual(readdirSync(folder), []);
            run({ PATH: PATH ?? "", HOME: folder });
            assert.deepEqual(readdirSync(join(folder, ".cache")), ["static-export"]);
            return Promise.resolve();
        });
    });

    it("are listed in groups, and a call without a command prints only the first steps", () => {
        const [help, bare] = [["--help"], []].map((args) =>
            spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" }),
        );
        const groups = [...help!.stdout.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading);
        const known = ["Write and check pages", "Publish pages", "Pulumi projects", "Run a service", "Use a service"];
        assert.deepEqual(groups, ["Options", "Start a project", ...known, "This command"]);
        assert.deepEqual([bare!.status, bare!.stdout, bare!.stderr.split("\n").length < 12], [2, "", true]);
    });

    it("are explained by help, too", () => {
        const [help, option] = [
            ["help", "build"],
            ["build", "--help"],
        ].map((args) => spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" }));
        assert.deepEqual([help!.status, help!.stdout], [0, option!.stdout]);
    });

    it("describe a Markdown parser that does not fit this machine, which only commands that read pages need", async () => {
        await withFolder((folder) => {
            const env = { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: join(folder, "missing.node") };
            const run = (...args: string[]) =>
                spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: "utf8" });
            for (const args of [["--version"], ["--help"], ["build", "--help"]]) {
                assert.equal(run(...args).status, 0);
            }
            assert.match(run("doctor").stdout, /^ok +Node\.js/);
            mkdirSync(join(folder, "docs"));
            writeFileSync(join(folder, "docs", "index.md"), "# Home\n");
            assert.match(
                run("doctor").stdout,
                /Markdown parser +The Markdown parser for \S+ on \S+ cannot be loaded\n.*Install /,
            );
            const { status, stderr } = run("build", "docs");
            assert.equal(status, 2);
            assert.match(stderr, /^error: The Markdown parser for \S+ on \S+ cannot be loaded: install .*\n$/);
            return Promise.resolve();
        });
    });

    for (const [what, TMPDIR, code] of [
        ["is missing", "missing", "ENOENT"],
        ["is a file", "docs/index.md", "ENOTDIR"],
    ] as const) {
        it(`name TMPDIR if its folder ${what}, and doctor finds it`, async function () {
            if (process.platform === "win32") {
                this.skip();
            }
            await withFolder((folder) => {
                mkdirSync(join(folder, "docs"));
                writeFileSync(join(folder, "docs", "index.md"), "# Home\n");
                const run = (...args: string[]) => {
                    const env = { PATH: process.env["PATH"] ?? "", TMPDIR: join(folder, TMPDIR) };
                    return spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: "utf8" });
                };
                const fix = "set TMPDIR to the absolute path of a folder that this user can write.";
                const { status, stderr } = run("build", "docs");
                const place = join(folder, TMPDIR);
                const found = `${place}, cannot be used (${code}): ${fix}`;
                assert.deepEqual([status, stderr], [2, `error: The folder for temporary files, ${found}\n`]);
                const doctor = run("doctor");
                assert.equal(doctor.status, 1);
                assert.ok(doctor.stdout.includes(`error  temporary files       ${place} cannot be used (${code})`));
                assert.ok(doctor.stdout.includes(fix.replace("set", "Set")));
                return Promise.resolve();
            });
        });
    }
});

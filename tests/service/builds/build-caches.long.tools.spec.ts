import assert from "node:assert/strict";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolder } from "../../sdk/support/files.js";
import { type Given, skipWithoutSandbox, withBuild } from "./support/with-build.js";

const look =
    "mkdir out; { cat ~/.cache/packages .astro/store node_modules/.cache/work .next/cache/a || true; } > out/seen 2>/dev/null";
const write =
    "mkdir -p .astro node_modules/.cache .next/cache; echo packages > ~/.cache/packages; echo store > .astro/store; " +
    "echo work > node_modules/.cache/work; echo next > .next/cache/a";

describe("The cache of a site's builds", function () {
    this.timeout(60_000);
    before(skipWithoutSandbox);

    let dataDir: string;
    const around = (use: () => Promise<void>) => () =>
        withFolder((folder) => {
            dataDir = join(folder, "data");
            return use();
        });
    /** Builds a site, and returns what it found in its cache. */
    const build = async (given: Partial<Given> = {}): Promise<{ seen: string[]; lines: string[]; error: string }> => {
        let result = { seen: [] as string[], lines: [] as string[], error: "" };
        const settings = { install: "mkdir -p node_modules", ...given.build };
        await withBuild(
            { command: `${look}; ${write}`, cacheName: "a", dataDir, ...given, build: settings },
            async ({ read, files, lines, error }) => {
                const seen = files === undefined ? "" : await read("seen");
                // Without a network, the log also says so.
                const ofCache = lines.filter((line) => !line.startsWith("Builds have no network"));
                result = { seen: seen.split("\n").filter((line) => line !== ""), lines: ofCache, error };
            },
        );
        return result;
    };

    it(
        "contains its packages and the builder's own folders, for its next build only",
        around(async () => {
            assert.deepEqual((await build()).seen, []);
            assert.deepEqual((await build()).seen, ["packages", "store", "work", "next"]);
            assert.deepEqual((await build({ cacheName: "b" })).seen, []);
            assert.deepEqual((await readdir(join(dataDir, "build-caches"))).sort(), ["a", "b"]);
        }),
    );

    it(
        "is removed by a build that fails, because it may be the reason",
        around(async () => {
            await build();
            await build({ command: "false" });
            assert.deepEqual((await build()).seen, []);
        }),
    );

    it(
        "is not kept if it is too large, which the log says",
        around(async () => {
            const { lines } = await build({
                command: `${look}; ${write}; head -c 3000000 /dev/zero > .astro/large`,
                build: { cacheMegabytes: 1 },
            });
            assert.deepEqual(lines, [
                "The build's cache was not saved: it has more than 1 MB: raise build.cacheMegabytes in the sites file.",
            ]);
            assert.deepEqual((await build()).seen, []);
        }),
    );

    it(
        "is not kept if the site has none, without a word about it in the log",
        around(async () => {
            const none = { build: { cacheMegabytes: 0 } };
            assert.deepEqual((await build(none)).lines, []);
            assert.deepEqual((await build(none)).seen, []);
        }),
    );

    it(
        "follows no links out of the checkout, and does not replace files of the repository",
        around(async () => {
            await withFolder(async (outside) => {
                await build();
                const prepare = async (checkout: string) => {
                    await symlink(outside, join(checkout, ".next"));
                    await mkdir(join(checkout, ".astro"));
                    await writeFile(join(checkout, ".astro/store"), "own\n");
                };
                assert.deepEqual((await build({ command: look, prepare })).seen, ["packages", "own", "work"]);
                assert.deepEqual(await readdir(outside), []);
            });
        }),
    );
});

describe("The versions of a build", function () {
    this.timeout(60_000);
    before(skipWithoutSandbox);
    const versionsOf = "mkdir out; { node --version; python3 --version; } > out/versions";

    it("are those of the machine if they match", async () => {
        // The sandbox contains programs of the system only, and this process may have another Node.js.
        let major = "";
        await withBuild({ command: versionsOf }, async ({ read }) => {
            major = /^v(\d+)/.exec(await read("versions"))?.[1] ?? "";
        });
        await withBuild({ command: versionsOf, build: { node: major, python: "3" } }, async ({ read }) => {
            assert.match(await read("versions"), new RegExp(`^v${major}\\.[^]*Python 3\\.`));
        });
    });

    it("are named with the machine's if they are not available", async () => {
        await withBuild({ command: versionsOf, build: { python: "2.7" } }, ({ error }) => {
            assert.match(
                error,
                /Python 2\.7 is not available: this machine has 3\.\d+\.\d+\. Install python2\.7 below/,
            );
        });
        const env = { PATH: process.env["PATH"] ?? "", npm_config_offline: "true" };
        const build = { node: "12.1", environment: ["npm_config_offline"] };
        await withBuild({ command: versionsOf, build, options: { env } }, ({ error }) => {
            assert.match(
                error,
                /Node\.js 12\.1 is not available: this machine has v\d+\.\d+\.\d+, and npm cannot install/,
            );
        });
    });
});

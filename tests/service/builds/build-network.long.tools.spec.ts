import assert from "node:assert/strict";
import { chmod, mkdir, readlink, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { writeFiles } from "../../exporter/support/site-fixture.js";
import { withFolder } from "../../sdk/support/files.js";
import { openNetwork } from "./support/open-network.js";
import { type Built, skipWithoutSandbox, withBuild } from "./support/with-build.js";

const ownAddress = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

function request(address: string): string {
    return `node -e 'fetch("http://${address}/").then((r) => r.text()).then(console.log)'`;
}

describe("The network of a build", function () {
    this.timeout(120_000);
    let server: Server;
    let port: number;

    before(skipWithoutSandbox);
    beforeEach(async () => {
        server = createServer((_, response) => response.end("reached")).listen(0, "0.0.0.0");
        await new Promise((resolve) => server.once("listening", resolve));
        ({ port } = server.address() as AddressInfo);
    });
    afterEach(() => server.close());

    it("is the service's if the operator shares it", async () => {
        const command = `mkdir out; ${request(`127.0.0.1:${port}`)} > out/answer`;
        await withBuild({ command, options: { sharesNetwork: true } }, async ({ read }) => {
            assert.equal(await read("answer"), "reached\n");
        });
    });

    it("does not exist without pasta, and the error says what to install", async () => {
        await withFolder(async (folder) => {
            // The programs must be reachable for the user nobody, too.
            await chmod(folder, 0o755);
            const bin = join(folder, "bin");
            await mkdir(bin);
            for (const program of ["bwrap", "setpriv", "unshare", "mkfifo", "sh"]) {
                await symlink(join("/usr/bin", program), join(bin, program));
            }
            const command = "/usr/bin/grep -c : /proc/net/dev; echo getaddrinfo EAI_AGAIN; exit 1";
            await withBuild({ command, options: { env: { PATH: bin } } }, ({ error }) => {
                assert.match(error, /Builds have no network .*passt.*--builds-share-network.* ends with: 1 ⏎ getaddr/);
            });
        });
    });

    describe("that does not exist", () => {
        /** Builds on a machine with npm, whose pasta does not work. */
        async function buildOffline(build: object, use: (built: Built) => void, files = {}): Promise<void> {
            await withFolder(async (folder) => {
                await chmod(folder, 0o755);
                await writeFiles(folder, { pasta: "#!/bin/sh\nexit 1\n" });
                await chmod(join(folder, "pasta"), 0o755);
                const env = { PATH: `${folder}:${process.env["PATH"]}` };
                const prepare = (checkout: string) => writeFiles(checkout, files);
                // npm alone tries for 70 seconds to reach its registry.
                const limits = { timeoutSeconds: 60 };
                const given = { command: "true", build: { ...limits, ...build }, options: { env } };
                await withBuild({ ...given, prepare }, use);
            });
        }

        it("is the reason at once for a version of Node.js that npm cannot install", async () => {
            await buildOffline({ node: "21" }, ({ error }) => {
                assert.match(error, /^The build exited with code 1\. Builds have no network on this service: /);
                assert.match(error, /Node\.js 21 is not available: .* npm cannot install node-linux-\w+@21\.$/);
            });
        });

        it("is named in the log before an installation, which fails at once if the cache lacks a package", async () => {
            const lock = {
                lockfileVersion: 3,
                packages: {
                    "": { dependencies: { "is-number": "7.0.0" } },
                    "node_modules/is-number": { version: "7.0.0", integrity: "sha512-41Cifkg6" },
                },
            };
            const files = {
                "package.json": JSON.stringify(lock.packages[""]),
                "package-lock.json": JSON.stringify(lock),
            };
            await buildOffline(
                { install: true },
                ({ error, lines }) => {
                    assert.match(
                        error,
                        /exited with code 1\. Builds have no network on this service: .* code ENOTCACHED/,
                    );
                    assert.match(
                        lines[0] ?? "",
                        /^Builds have no network on this service, so packages are taken from the cache/,
                    );
                },
                files,
            );
        });
    });

    describe("in user mode", () => {
        before(function () {
            const network = openNetwork();
            if (typeof network === "string") {
                console.log(`      skipped: ${network}`);
                this.skip();
            }
        });

        it("reaches no server of this machine, no private network, and no metadata of a cloud", async () => {
            const places = ["127.0.0.1", ...(ownAddress === undefined ? [] : [ownAddress])].map(
                (host) => `${host}:${port}`,
            );
            const closed = ["169.254.169.254", "168.63.129.16", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1"];
            const tries = [...places, ...closed].map(
                (place) => `${request(place)} 2>&1 | grep -oE 'reached|E[A-Z]{4,}' | head -n 1`,
            );
            await withBuild({ command: `mkdir out; { ${tries.join("; ")}; } > out/seen` }, async ({ read }) => {
                const seen = (await read("seen")).trim().split("\n");
                assert.equal(seen.length, tries.length);
                assert.ok(
                    seen.every((each) => ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"].includes(each)),
                    seen.join(" "),
                );
            });
        });

        it("reaches what the operator names", async function () {
            if (ownAddress === undefined) {
                this.skip();
            }
            const command = `mkdir out; ${request(`${ownAddress}:${port}`)} > out/answer`;
            await withBuild({ command, options: { reach: [`${ownAddress}/32`] } }, async ({ read }) => {
                assert.equal(await read("answer"), "reached\n");
            });
        });

        it("cannot be changed by the build, and shows only its own processes", async () => {
            const changes = [
                "ip route del unreachable 10.0.0.0/8",
                "ip link set lo down",
                "unshare -U -r ip route flush all",
            ];
            const command =
                `mkdir out; ${changes.map((change) => `(${change}) && echo ${change} >> out/changed`).join("; ")}\n` +
                "touch out/changed; ls -d /proc/[0-9]* > out/processes; readlink /proc/self/ns/net > out/network";
            await withBuild({ command: `set +e; ${command}` }, async ({ read }) => {
                assert.equal(await read("changed"), "");
                assert.ok((await read("processes")).trim().split("\n").length < 6);
                assert.notEqual((await read("network")).trim(), await readlink("/proc/self/ns/net"));
            });
        });
    });
});

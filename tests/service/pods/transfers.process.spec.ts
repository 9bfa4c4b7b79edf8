import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, readlink, stat, writeFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { extract } from "tar-stream";
import { Transfers } from "../../../service/src/pods/transfers.js";
import { readSiteBuild } from "../../../service/src/builds/site-build.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";

type Expected = ReturnType<Transfers["expect"]>;

/** A server that expects the site of a build, and requests for this build. */
async function withTransfer(
    use: (given: {
        folder: string;
        expected: Expected;
        ask: (method: string) => ClientRequest;
        lines: string[];
    }) => Promise<void>,
    kind: "build" | "agent" = "build",
): Promise<void> {
    const site = readSiteBuild("docs.example.com", { command: "./run", outputFolder: "out", cacheMegabytes: 1 });
    assert.ok(site);
    const { limits } = site;
    await withFolder(async (folder) => {
        const lines: string[] = [];
        const transfers = new Transfers();
        const port = await transfers.listen({ host: "127.0.0.1", port: 0 });
        const expected = transfers.expect({
            ...{ kind, folder, sent: ["site"], limits, onLine: (line) => void lines.push(line) },
            ...(kind === "build" ? { output: { baseFolder: ".", outputFolder: "out", diskMegabytes: 1 } } : {}),
            received: { output: join(folder, "output"), cache: join(folder, "new-cache.tar") },
        });
        const ask = (method: string) => {
            const headers = { authorization: `Bearer ${expected.token}` };
            const asked = request(`http://127.0.0.1:${port}${expected.path}`, { method, headers, agent: false });
            return asked.on("error", () => undefined);
        };
        try {
            await use({ folder, expected, ask, lines });
        } finally {
            transfers.close();
        }
    });
}

const frame = (value: object) => `${JSON.stringify(value)}\n`;

describe("The checkout of a build", function () {
    this.timeout(20_000);

    it("is sent again if the connection has ended before its end, but only then", async () => {
        await withTransfer(async ({ folder, ask }) => {
            // More than the buffers of a connection.
            await writeFile(join(folder, "site"), Buffer.alloc(16 * 2 ** 20));
            const [first] = (await once(ask("GET").end(), "response")) as [IncomingMessage];
            assert.equal(first.statusCode, 200);
            first.destroy();
            const again = await waitUntil("the first answer has ended", async () => {
                const [answer] = (await once(ask("GET").end(), "response")) as [IncomingMessage];
                return answer.statusCode === 200 && answer;
            });
            await once(again.resume(), "end");
            const [third] = (await once(ask("GET").end(), "response")) as [IncomingMessage];
            assert.equal(third.statusCode, 409);
        });
    });

    it("has its files in the order in which git writes them, by which some builders sort pages", async () => {
        await withTransfer(async ({ folder, ask }) => {
            const names = Array.from({ length: 20 }, (_, index) => `page-${(index * 7) % 20}.md`);
            await mkdir(join(folder, "site"));
            for (const name of names) {
                await writeFile(join(folder, "site", name), "");
            }
            const [answer] = (await once(ask("GET").end(), "response")) as [IncomingMessage];
            const packed = extract();
            answer.pipe(packed);
            const sent: string[] = [];
            for await (const entry of packed) {
                sent.push(entry.header.name);
                entry.resume();
            }
            assert.deepEqual(sent, ["site/", ...names.toSorted().map((name) => `site/${name}`)]);
        });
    });
});

describe("The output that a build's pod sends", function () {
    this.timeout(20_000);

    it("is written no more after its build has ended", async () => {
        await withTransfer(async ({ folder, expected, ask }) => {
            const sent = ask("POST");
            const closed = new Promise((resolve) => sent.once("close", resolve));
            sent.write(`${frame({ file: "a/index.html", size: 10 })}half`);
            await waitUntil("the file is begun", async () => (await readdir(folder)).includes("output"));
            await expected.close();
            await assert.rejects(expected.received, { name: "LostPodError" });
            await closed;
        });
    });

    it("has a site although its cache is too large to be kept", async () => {
        await withTransfer(async ({ folder, expected, ask, lines }) => {
            const sent = ask("POST");
            sent.write(`${frame({ file: "index.html", size: 1 })}a${frame({ cache: 2 ** 21 + 1 })}`);
            sent.write(Buffer.alloc(2 ** 21 + 1));
            sent.end(frame({ end: true }));
            await expected.received;
            assert.deepEqual((await readdir(folder)).sort(), ["output"]);
            assert.deepEqual(lines, [
                "The build's cache was not saved: it has more than 1 MB: raise build.cacheMegabytes in the sites file.",
            ]);
        });
    });

    it("has no links, because an export would follow them", async () => {
        await withTransfer(async ({ folder, expected, ask }) => {
            ask("POST").end(`${frame({ link: "a", target: "/etc/passwd" })}${frame({ end: true })}`);
            await assert.rejects(expected.received, { message: "The build's pod sent a link." });
            assert.deepEqual(await readdir(join(folder, "output")), []);
        });
    });

    it("is complete only with its end", async () => {
        for (const last of [{}, { end: false }, { file: "a", size: -1 }]) {
            await withTransfer(async ({ expected, ask }) => {
                ask("POST").end(frame(last));
                await assert.rejects(expected.received, { message: "The build's pod sent an unknown line." });
            });
        }
    });
});

describe("The checkout that an agent's pod sends", function () {
    this.timeout(20_000);

    it("has links and executable files", async () => {
        const use: Parameters<typeof withTransfer>[0] = async ({ folder, expected, ask }) => {
            const file = `${frame({ file: "a/run", size: 1, isExecutable: true })}x`;
            ask("POST").end(`${file}${frame({ link: "a/far", target: "/etc" })}${frame({ end: true })}`);
            await expected.received;
            assert.equal(await readlink(join(folder, "output/a/far")), "/etc");
            assert.equal((await stat(join(folder, "output/a/run"))).mode & 0o100, 0o100);
        };
        await withTransfer(use, "agent");
    });

    for (const [what, frames] of [
        ["a file", `${frame({ file: "far/a", size: 1 })}x`],
        ["a folder", `${frame({ file: "far/a/b", size: 1 })}x`],
        ["a link", frame({ link: "far/a", target: "b" })],
        ["a file in its place", `${frame({ file: "far", size: 1 })}x`],
        ["a file above its folder", `${frame({ file: "../a", size: 1 })}x`],
    ] as const) {
        it(`writes through no link: ${what}`, async () => {
            const use: Parameters<typeof withTransfer>[0] = async ({ folder, expected, ask }) => {
                const outside = join(folder, "outside");
                await mkdir(outside);
                ask("POST").end(`${frame({ link: "far", target: outside })}${frames}${frame({ end: true })}`);
                await assert.rejects(expected.received);
                assert.deepEqual(await readdir(outside), []);
                assert.deepEqual((await readdir(folder)).sort(), ["output", "outside"]);
            };
            await withTransfer(use, "agent");
        });
    }
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { PlatformServer } from "../bundle-mirror/platform-server.js";

/** Checks a bundle whose download never ends; `interfere` runs when a part of it is on disk. */
async function checkUntil(
    interfere: (provider: { kill: (signal: NodeJS.Signals) => unknown; engine: Server }) => unknown,
): Promise<{ ended: unknown[]; before: string[]; after: string[] }> {
    const scratch = await mkdtemp(join(tmpdir(), "static-export-spec-"));
    const engine = createServer((socket: Socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(engine, "listening");
    const platform = await PlatformServer.start();
    const begun = new Promise<void>((resolve) => {
        platform.archive = (_request, response) => {
            response.writeHead(200);
            response.write(gzipSync("the beginning"), () => resolve());
        };
    });
    const script = fileURLToPath(new URL("./bundle-check-process.mjs", import.meta.url));
    const provider = spawn(process.execPath, [script, `127.0.0.1:${(engine.address() as AddressInfo).port}`], {
        stdio: "ignore",
        env: {
            ...process.env,
            TMPDIR: scratch,
            STATIC_EXPORT_BASE_URL: platform.url,
            STATIC_EXPORT_ADMIN_API_KEY: "test_0123456789",
        },
    });
    try {
        const exit = once(provider, "exit");
        await begun;
        const before = await readdir(scratch);
        interfere({ kill: (signal) => provider.kill(signal), engine });
        return { ended: await exit, before, after: await readdir(scratch) };
    } finally {
        provider.kill("SIGKILL");
        engine.close();
        platform.stop();
        await rm(scratch, { recursive: true });
    }
}

describe("an interrupted BundleCheck leaves nothing on disk", function () {
    this.timeout(60_000);

    before(function () {
        if (process.platform === "win32") {
            this.skip();
        }
    });

    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        it(`when ${signal} ends its process`, async () => {
            const { ended, before, after } = await checkUntil(({ kill }) => kill(signal));
            assert.match(String(before), /^bundle-check-\w+$/);
            assert.deepEqual(after, []);
            assert.deepEqual(ended, [null, signal]);
        });
    }

    it("when the engine that started its process is gone", async () => {
        const { ended, before, after } = await checkUntil(({ engine }) => engine.close());
        assert.match(String(before), /^bundle-check-\w+$/);
        assert.deepEqual(after, []);
        assert.deepEqual(ended, [1, null]);
    });
});

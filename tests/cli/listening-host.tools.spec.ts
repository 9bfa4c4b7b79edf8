import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command, withFolder } from "./support/command.js";

/** A separate network, because the command listens on all of its addresses. */
const ownNetwork = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

describe("A server that listens on ::", function () {
    this.timeout(60_000);

    async function answers(args: readonly string[], started: RegExp, paths: readonly string[]): Promise<void> {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "index.html"), "<title>Docs</title>");
            const command = new Command(args, { cwd: folder, prefix: ownNetwork });
            try {
                await command.prints(started);
                for (const path of paths) {
                    for (const host of ["127.0.0.1", "[::1]"]) {
                        const curl = ["curl", "--silent", "--fail", "--globoff", `http://${host}${path}`];
                        const target = ["--target", String(command.pid), "--net"];
                        await assert.doesNotReject(promisify(execFile)("nsenter", [...target, ...curl]));
                    }
                }
            } finally {
                command.signal("SIGTERM");
                await command.exited;
            }
        });
    }

    it("answers requests and probes on IPv4 and IPv6 as the service", async () => {
        const addresses = ["--host", "::", "--public-url", "http://docs.internal:8787", "--health", "[::]:9090"];
        await answers(["serve", "--site", "docs.example.com=docs", ...addresses], /Press Ctrl-C to stop\./, [
            ":8787/dashboard/sign-in",
            ":9090/livez",
        ]);
    });

    it("answers requests on IPv4 and IPv6 as the assistant", async () => {
        await answers(["answer", ".", "--host", "::"], /Ctrl-C/, [":8788/livez"]);
    });
});

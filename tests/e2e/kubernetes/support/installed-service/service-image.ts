import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import which from "which";
import { loadImage } from "@pulumi-static-export/cluster";
import image from "../../../../../dev/image/image.json" with { type: "json" };
import { writePackages } from "../../../../../dev/image/write-packages.mjs";
import { parseLinkerTrace } from "../../../../../dev/cluster/src/local/images/images.js";
import { nodeFolder } from "../../../packages/support/npm-cache.js";
import { type LocalCluster } from "../shared-cluster.js";

const run = promisify(execFile);

export const serviceImage = { repository: "static-export.local/service", tag: "1" };

/** Programs of this machine: for the command's first line, and those of the image's Debian packages. */
const programs = ["env", "sh", "cat", "git", "ssh", "bwrap"];
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const passwd = "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000:node:/home/node:/bin/sh\n";

/**
 * Makes the image of charts/static-export-service known to a cluster: what the Dockerfile makes, put together without Docker
 * from the same list.
 *
 * @param cli - the packed command
 */
export async function loadServiceImage(cluster: LocalCluster, cli: string): Promise<void> {
    const settings = {
        reference: `${serviceImage.repository}:${serviceImage.tag}`,
        user: image.user,
        entrypoint: image.entrypoint,
        command: image.command,
        stopSignal: image.stopSignal,
    };
    await loadImage(cluster, settings, async (root) => {
        await addProgram(root, join(await nodeFolder(image.node), "node"), "/usr/bin/node");
        for (const name of programs) {
            await addProgram(root, await which(name));
        }
        await addGitCore(root);
        await addFile(root, certificates);
        await writeFile(join(root, "etc", "passwd"), passwd);
        await mkdir(join(root, "tmp"));
        await addPackages(root, cli);
    });
}

async function addPackages(root: string, cli: string): Promise<void> {
    const folder = join(root, image.folder);
    writePackages(cli, folder);
    const files = await readdir(folder, { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".node"))) {
        await addLibraries(root, join(folder, file));
    }
    for (const [link, target] of Object.entries(image.links)) {
        await symlink(target, join(root, link));
    }
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

import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import {
    CommandError,
    ensureCached,
    ensureNpmPackage,
    type EnsureOptions,
    exists,
    reporter,
    run,
    toolFolder,
    ToolUnavailableError,
    withHeartbeat,
} from "@pulumi-static-export/toolchain";
import { imageRecipes, nodeProgram } from "../images/image-recipes.js";
import { buildImage } from "../images/images.js";
import { createRootFolder } from "../images/root-folder.js";

/** The packages that the node and its images need. */
const packages = [
    "busybox-static",
    "ca-certificates",
    "containerd",
    "containernetworking-plugins",
    "curl",
    "etcd-server",
    "iproute2",
    "ipset",
    "iptables",
    "libstdc++6",
    "mount",
    "nftables",
    "nginx",
    "openssl",
    "runc",
    "tini",
    "umoci",
];

/** Mount points in the node's namespace, for the files of one cluster and for kernel file systems. */
const mountPoints = [
    "dev",
    "etc/static-export",
    "mnt",
    "opt/kube-router",
    "opt/kubernetes",
    "proc",
    "run",
    "sys",
    "tmp",
    "var",
];

const iptablesNames = ["iptables", "iptables-restore", "iptables-save"].flatMap((name) => [
    name,
    `ip6${name.slice(2)}`,
]);

/** Files that programs expect in `/etc`, by file name. */
const systemFiles = {
    group: "root:x:0:\n",
    hosts: "127.0.0.1 localhost\n",
    "machine-id": "",
    "os-release": 'NAME="static-export node"\nPRETTY_NAME="static-export node"\n',
    passwd: "root:x:0:0:root:/root:/bin/sh\n",
};

/** Increment this when the code below changes its output. */
const recipeVersion = 2;

/**
 * Returns the root folder of a node, with everything except Kubernetes itself; if the folder does not exist, builds it
 * from the distribution's packages. The folder does not change afterwards.
 *
 * Packages are unpacked into the cache and never installed: this machine's packages, package lists and services do not
 * change.
 *
 * @throws {ToolUnavailableError} when the packages cannot be downloaded.
 */
export async function ensureNodeRoot(options: EnsureOptions): Promise<string> {
    const nodeVersion = (await readFile(new URL("../../../../../.nvmrc", import.meta.url), "utf8")).trim();
    const digest = createHash("sha256")
        .update(JSON.stringify([recipeVersion, packages, imageRecipes, nodeVersion]))
        .digest("hex");
    const folder = toolFolder("cluster-node", digest.slice(0, 12));
    const report = reporter(options);
    const make = async (partialFolder: string) => {
        const texts = { started: "preparing the node's packages", ended: "Prepared the node's packages and images" };
        report("Downloading the node's Debian packages (80 MB) into the cache, once. Nothing is installed.");
        return withHeartbeat(texts, { report }, async () => {
            const name = `node-linux-${process.arch}`;
            const node = await ensureNpmPackage({ name, version: nodeVersion }, options);
            return makeNodeRoot(partialFolder, path.join(node, "bin", "node"), options.signal);
        });
    };
    return ensureCached({ folder, isThere: () => exists(folder), doing: "preparing the node", make }, options);
}

async function makeNodeRoot(partialFolder: string, node: string, signal: AbortSignal | undefined): Promise<string> {
    try {
        const root = path.join(partialFolder, "root");
        await createRootFolder(root);
        for (const archive of await downloadPackages(path.join(partialFolder, "apt"), signal)) {
            await unpackPackage(archive, root, signal);
        }
        await finishRoot(root);
        await cp(node, path.join(root, nodeProgram));
        for (const recipe of Object.values(imageRecipes)) {
            await buildImage(recipe, root, signal);
        }
        return root;
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ToolUnavailableError(
            "the packages of the cluster's node",
            [error.message],
            "Check that apt-get reaches the distribution's servers (`apt-get update`), then run this again.",
            error.lastLines(15),
            { cause: error },
        );
    }
}

/** Downloads the packages and all their dependencies, even packages that this machine has installed. */
async function downloadPackages(folder: string, signal: AbortSignal | undefined): Promise<string[]> {
    const archives = path.join(folder, "cache", "archives");
    await mkdir(path.join(archives, "partial"), { recursive: true });
    await mkdir(path.join(folder, "lists", "partial"), { recursive: true });
    await writeFile(path.join(folder, "status"), "");
    const configuration = path.join(folder, "apt.conf");
    await writeFile(
        configuration,
        [
            `Dir::State "${folder}";`,
            `Dir::State::lists "${folder}/lists";`,
            `Dir::State::status "${folder}/status";`,
            `Dir::Cache "${folder}/cache";`,
            // apt's sandbox user cannot read a cache folder in a home directory.
            'APT::Sandbox::User "root";',
            'APT::Install-Recommends "false";',
        ].join("\n"),
    );
    const env = { APT_CONFIG: configuration, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" };
    const aptGet = (...args: string[]) => run("apt-get", ["-q", "-y", ...args], { env, signal });
    await aptGet("update");
    await aptGet("install", "--download-only", ...packages);
    const names = await readdir(archives);
    return names.filter((name) => name.endsWith(".deb")).map((name) => path.join(archives, name));
}

/** Unpacks one package into a root folder, keeping its links to folders, which `dpkg-deb --extract` would replace. */
async function unpackPackage(archive: string, root: string, signal: AbortSignal | undefined): Promise<void> {
    const options = { buffer: false, ...(signal && { cancelSignal: signal }) };
    try {
        await execa("dpkg-deb", ["--fsys-tarfile", archive], options).pipe("tar", [
            ...["--extract", "--keep-directory-symlink", "--directory", root],
        ]);
    } catch (error) {
        signal?.throwIfAborted();
        throw new CommandError(`unpacking ${path.basename(archive)} failed`, "", { cause: error });
    }
}

/** Performs the steps of the packages' install scripts that the node needs. */
async function finishRoot(root: string): Promise<void> {
    await rm(path.join(root, "var"), { recursive: true });
    for (const mountPoint of mountPoints) {
        await mkdir(path.join(root, mountPoint), { recursive: true });
    }
    await chmod(path.join(root, "tmp"), 0o1777);
    await symlink("busybox", path.join(root, "usr/bin/sh"));
    for (const name of iptablesNames) {
        await rm(path.join(root, "usr/sbin", name), { force: true });
        await symlink("xtables-nft-multi", path.join(root, "usr/sbin", name));
    }
    for (const [file, text] of Object.entries(systemFiles)) {
        await writeFile(path.join(root, "etc", file), text);
    }
    await writeCertificates(root);
}

async function writeCertificates(root: string): Promise<void> {
    const folder = path.join(root, "usr/share/ca-certificates/mozilla");
    const names = (await readdir(folder)).sort();
    const certificates = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
    await mkdir(path.join(root, "etc/ssl/certs"), { recursive: true });
    await writeFile(path.join(root, "etc/ssl/certs/ca-certificates.crt"), certificates.join(""));
}

import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import which from "which";
import { type ImageSettings, parseLinkerTrace } from "@pulumi-static-export/cluster";
import { run } from "@pulumi-static-export/toolchain";
import image from "./image.json" with { type: "json" };
import { writePackages } from "./write-packages.mjs";

/**
 * The programs to copy from this machine: those in the command's first line, and those of the image's Debian packages.
 */
const programs = ["env", "sh", "cat", "chmod", "rm", "tar", "git", "ssh", "bwrap"];
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const passwd = "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000:node:/home/node:/bin/sh\n";

export function serviceImageSettings(reference: string): ImageSettings {
    const { user, entrypoint, command, stopSignal } = image;
    return { reference, user, entrypoint, command, stopSignal };
}

/**
 * Writes the files of the service's image, as the Dockerfile does, without Docker: the same npm packages, and the
 * programs of this machine's Debian packages with the libraries that they need.
 *
 * @param root - contains only the empty system folders
 * @param cli - the packed command
 * @param node - Node.js of the image's release
 */
export async function writeImageFiles(root: string, cli: string, node: string): Promise<void> {
    const files = new Map<string, string>([[certificates, certificates]]);
    const addProgram = async (program: string, target = program) => {
        files.set(target, program);
        for (const library of await librariesOf(program)) {
            files.set(library, library);
        }
    };
    await addProgram(node, "/usr/bin/node");
    for (const name of programs) {
        await addProgram(await which(name));
    }
    const gitCore = await run("git", ["--exec-path"]);
    // Copies the programs that git starts, which are links to git or to each other.
    await cp(gitCore, join(root, gitCore), { recursive: true, verbatimSymlinks: true });
    await addProgram(join(gitCore, "git-remote-http"));
    await addPackages(root, cli, files);
    for (const [target, file] of files) {
        await mkdir(dirname(join(root, target)), { recursive: true });
        await cp(file, join(root, target), { dereference: true });
    }
    await writeFile(join(root, "etc", "passwd"), passwd);
    await mkdir(join(root, "tmp"));
    await describeDebianPackages(
        root,
        [...files.values()].filter((file) => file !== node),
    );
}

async function addPackages(root: string, cli: string, libraries: Map<string, string>): Promise<void> {
    const folder = join(root, image.folder);
    writePackages(cli, folder);
    const files = await readdir(folder, { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".node"))) {
        for (const library of await librariesOf(join(folder, file))) {
            libraries.set(library, library);
        }
    }
    for (const [link, target] of Object.entries(image.links)) {
        await symlink(target, join(root, link));
    }
}

async function librariesOf(program: string): Promise<string[]> {
    return parseLinkerTrace(await run("ldd", [program]));
}

/**
 * Writes the descriptions of packages where scanners look for them in an image without dpkg, and licences where Debian
 * stores them.
 */
async function describeDebianPackages(root: string, files: readonly string[]): Promise<void> {
    // dpkg lists a file under only one of the two paths, because /lib is a link to /usr/lib.
    const paths = files.flatMap((file) => [file, join("/usr", file)]);
    // dpkg-query fails if any path is unknown.
    const found = await run("sh", ["-c", 'dpkg-query --search "$@" || true', "sh", ...paths]);
    const names = [...found.matchAll(/^([^\s:,]+)(?::\w+)?: \//gm)].map(([, name = ""]) => name);
    const status = join(root, "var", "lib", "dpkg", "status.d");
    await mkdir(status, { recursive: true });
    for (const name of new Set([...image.debianPackages, ...names])) {
        await writeFile(join(status, name), `${await run("dpkg-query", ["--status", name])}\n`);
        const copyright = join("usr", "share", "doc", name, "copyright");
        await cp(join("/", copyright), join(root, copyright), { dereference: true });
    }
}

/**
 * Makes each package that users install self-contained: copies code from other workspaces into the package, because
 * these workspaces are not published. Runs after every compilation, so it is plain JavaScript without dependencies.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";

/** Each workspace precedes the workspaces that contain it. The `folders` are copied into the package, too. */
const packages = [
    { folder: "contract", contains: [], folders: [] },
    // These workspaces are not published: their dependencies are copied into the package that contains them.
    { folder: "exporter", contains: [], folders: [] },
    { folder: "answer", contains: [], folders: [] },
    { folder: "service", contains: [], folders: [] },
    { folder: "sdk", contains: ["contract"], folders: [] },
    { folder: "policy", contains: ["contract"], folders: [] },
    {
        folder: "provider",
        contains: ["contract", "sdk"],
        folders: ["charts/documentation-site", "charts/static-export-service"],
    },
    { folder: "cli", contains: ["contract", "sdk", "exporter", "answer", "service"], folders: [] },
];

/**
 * @param {string} root - the compiled checkout
 * @throws Error when a package lacks a dependency of a workspace that it contains
 */
export function assemblePackages(root) {
    for (const { folder, contains, folders } of packages) {
        const target = join(root, folder);
        removeOutputsWithoutSource(target);
        copyFile(join(root, "LICENSE"), join(target, "LICENSE"));
        for (const each of folders) {
            mirrorFolder(join(root, each), join(target, each));
        }
        const inPackage = (text, file) => forInstallation(text, file, target, root, contains);
        for (const workspace of contains) {
            assertDependencies(target, join(root, workspace));
            takeIn(target, join(root, workspace), workspace, inPackage);
        }
        for (const file of ownOutputs(target)) {
            writeIfDifferent(file, inPackage(readFileSync(file, "utf8"), file));
        }
    }
}

/** Removes the output of deleted and moved sources, which would otherwise be packed, too. */
function removeOutputsWithoutSource(workspace) {
    for (const file of ownOutputs(workspace)) {
        const source = join(workspace, "src", relative(join(workspace, "dist"), file));
        if (![".ts", ".tsx"].some((ending) => existsSync(source.replace(outputs, ending)))) {
            rmSync(file);
        }
    }
}

const outputs = /\.(d\.ts|js|js\.map)$/;

/** Lists the compiler's output, without the workspaces that are copied next to it. */
function ownOutputs(workspace) {
    const dist = join(workspace, "dist");
    return filesIn(dist).filter((file) => outputs.test(file) && !relative(dist, file).startsWith(`packages${sep}`));
}

/** Checks that a package lists the workspace's dependencies, because npm reads only the package's own package.json. */
function assertDependencies(target, workspace) {
    const own = readJson(join(target, "package.json"));
    const other = readJson(join(workspace, "package.json"));
    for (const [name, version] of Object.entries(other.dependencies ?? {})) {
        if (own.dependencies?.[name] !== version) {
            throw new Error(`${own.name} contains ${other.name}: its package.json needs "${name}": "${version}", too.`);
        }
    }
}

/** Copies a workspace into a package. A published workspace already includes the workspaces that it contains. */
function takeIn(target, workspace, name, inPackage) {
    const inside = join(target, "dist", "packages", name);
    const { type = "commonjs", files } = readJson(join(workspace, "package.json"));
    // The workspace's module type may differ from that of the surrounding package.
    writeIfDifferent(join(inside, "package.json"), `${JSON.stringify({ type })}\n`);
    for (const folder of files.filter((each) => existsSync(join(workspace, each)))) {
        mirrorFolder(join(workspace, folder), join(inside, folder), inPackage);
    }
}

/** Makes `target` equal to `source`. Writes only differing files, because other processes may be reading the target. */
function mirrorFolder(source, target, change = undefined) {
    const wanted = new Set(
        filesIn(source)
            .filter((file) => extname(file) !== ".tsbuildinfo")
            .map((file) => relative(source, file)),
    );
    for (const file of filesIn(target)) {
        if (!wanted.has(relative(target, file))) {
            rmSync(file);
        }
    }
    for (const path of wanted) {
        const [from, to] = [join(source, path), join(target, path)];
        if (change !== undefined && outputs.test(path)) {
            writeIfDifferent(to, change(readFileSync(from, "utf8"), to));
        } else {
            copyFile(from, to);
        }
    }
}

/**
 * Imports workspaces by their path inside the package, and drops inline `type` modifiers: TypeScript 3.8, which Pulumi
 * bundles for programs without their own compiler, cannot parse these modifiers.
 */
function forInstallation(text, file, target, root, contains) {
    const rewritten = text.replace(
        /(["'])@pulumi-static-export\/([\w-]+)((?:\/[\w-]+)*)\1/g,
        (whole, quote, name, sub) => {
            if (!contains.includes(name)) {
                return whole;
            }
            const { exports, main } = readJson(join(root, name, "package.json"));
            const entry = exports?.[`.${sub}`]?.default ?? main;
            const path = relative(dirname(file), join(target, "dist", "packages", name, entry))
                .split(sep)
                .join("/");
            return `${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
        },
    );
    return file.endsWith(".d.ts")
        ? rewritten.replace(/\{[^{}]*\}(?= from ["'])/g, (names) => names.replace(/\btype (?=[\w$])/g, ""))
        : rewritten;
}

function copyFile(source, target) {
    if (!existsSync(target) || !readFileSync(source).equals(readFileSync(target))) {
        mkdirSync(dirname(target), { recursive: true });
        cpSync(source, target);
    }
}

function writeIfDifferent(file, text) {
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
    }
}

/** Also lists the files of linked folders: charts link to the library that they share, and npm packs no links. */
function filesIn(folder) {
    if (!existsSync(folder)) {
        return [];
    }
    return readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? filesIn(path) : [path];
    });
}

function readJson(file) {
    return JSON.parse(readFileSync(file, "utf8"));
}

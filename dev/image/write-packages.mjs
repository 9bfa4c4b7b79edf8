/**
 * node dev/image/write-packages.mjs CLI.tgz FOLDER: writes the npm packages of the service's image into a folder, for
 * the Dockerfile and for the image that is built without Docker. Resolves and downloads nothing: the command comes from
 * the file that `npm run pack` writes, and its dependencies come from this checkout, in the versions of
 * package-lock.json. Licences are in THIRD-PARTY-NOTICES.txt, and the licences of Debian's packages in /usr/share/doc.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeNoticesOfPackages } from "../toolchain/third-party-notices.mjs";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const readJson = (file) => JSON.parse(readFileSync(join(checkout, file), "utf8"));
const { packages: wanted } = readJson("dev/image/image.json");
const { packages: locked } = readJson("package-lock.json");
const command = "@pulumi-static-export/cli";

/** @param {string} archive - the packed command @param {string} folder - for `node_modules` and the notices */
export function writePackages(archive, folder) {
    const place = join("node_modules", command);
    const target = join(folder, place);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", target]);
    for (const path of neededPaths()) {
        const nested = join(checkout, path, "node_modules");
        // npm puts a package that other packages need in another version into the command's own folder.
        cpSync(join(checkout, path), join(folder, path.replace(/^cli(?=\/)/, place)), {
            recursive: true,
            filter: (file) => file !== nested,
        });
    }
    writeNoticesOfPackages({ folder, artifact: "The image of the service" });
}

/** Returns the folders of all packages that the image needs at run time, from package-lock.json. */
function neededPaths() {
    const found = new Set();
    const visit = (names, from) => {
        for (const name of names) {
            const path = placeOf(name, from);
            if (path !== undefined && !found.has(path)) {
                found.add(path);
                visit(needsOf(locked[path]), path);
            }
        }
    };
    visit(needsOf(locked["cli"]), "cli");
    visit(
        wanted.filter((name) => name !== command),
        "",
    );
    return found;
}

function needsOf({ dependencies = {}, optionalDependencies = {} }) {
    return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
}

/**
 * Returns the folder where Node.js finds a package; undefined for a package of another platform.
 * @throws Error for a missing package
 */
function placeOf(name, from) {
    for (let folder = from; ; folder = dirname(folder)) {
        const path = join(folder === "." ? "" : folder, "node_modules", name);
        const entry = basename(folder) === "node_modules" ? undefined : locked[path];
        if (entry !== undefined) {
            if (existsSync(join(checkout, path))) {
                return isOfOtherLibrary(name, entry) ? undefined : path;
            }
            if (entry.optional) {
                return undefined;
            }
        }
        if (folder === "." || folder === "") {
            throw new Error(`${name}, which ${from} needs, is not installed: run npm ci.`);
        }
    }
}

/**
 * Returns whether a package is built for a C library that the image does not have; npm 10 also installs these packages.
 */
function isOfOtherLibrary(name, { libc }) {
    return libc !== undefined ? !libc.includes("glibc") : name.endsWith("-musl");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [archive, folder] = process.argv.slice(2);
    if (archive === undefined || folder === undefined) {
        console.error("Usage: node dev/image/write-packages.mjs CLI.tgz FOLDER");
        process.exit(2);
    }
    writePackages(resolve(archive), resolve(folder));
}

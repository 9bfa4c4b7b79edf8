import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const rooms = ["contract", "sdk", "provider", "plugin", "policy", "exporter", "answer", "service", "cli"];

/** Writes the workspace as JavaScript, so that its specs need no compiler. Other files are links. */
export async function compileWorkspace(to: string): Promise<void> {
    await link(root, to, [...rooms, "dev", "tests", ".git"]);
    for (const room of [...rooms, "dev"]) {
        await link(join(root, room), join(to, room), ["src", "not-supported"]);
    }
    for (const folder of ["tests", "dev/not-supported", ...rooms.map((room) => `${room}/src`)]) {
        const parent = folder === "tests" ? "tests" : dirname(folder);
        const manifest = await readFile(join(root, parent, "package.json"), "utf8").catch(() => '{ "type": "module" }');
        const { type } = JSON.parse(manifest) as { type?: string };
        const files = await filesIn(join(root, folder));
        const sources = files.filter((file) => /(?<!\.d)\.tsx?$/.test(file));
        await build({
            entryPoints: sources,
            outbase: root,
            outdir: to,
            format: type === "module" ? "esm" : "cjs",
            platform: "node",
            target: "node22",
            tsconfig: join(root, parent, "tsconfig.json"),
            logLevel: "error",
        });
        for (const file of files.filter((each) => !sources.includes(each))) {
            const place = join(to, relative(root, file));
            await mkdir(dirname(place), { recursive: true });
            await symlink(file, place);
        }
    }
}

async function link(from: string, to: string, without: readonly string[]): Promise<void> {
    await mkdir(to, { recursive: true });
    for (const name of (await readdir(from)).filter((each) => !without.includes(each))) {
        await symlink(join(from, name), join(to, name));
    }
}

async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

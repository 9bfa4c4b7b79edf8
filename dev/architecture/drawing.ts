import { readdirSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The product's top-level folders, in the order in which they import each other. */
const rooms = ["plugin", "provider", "policy", "cli", "service", "answer", "exporter", "sdk", "contract"];

/** Returns the folder of a file: `sdk/http` for `sdk/src/http/retry.ts`, and `sdk` for `sdk/src/index.ts`. */
function folderOf(source: string): string {
    const [room = "", , folder = "", file] = source.split("/");
    return file === undefined ? room : `${room}/${folder}`;
}

const roomOf = (source: string) => source.split("/", 1)[0]!;

const nodeId = (folder: string) => folder.replaceAll(/[^a-z]/gi, "_");

const packageNames = new Map(
    rooms.map((room) => [
        room,
        (JSON.parse(readFileSync(`${root}${room}/package.json`, "utf8")) as { name: string }).name,
    ]),
);

const isOf = (name: string, imported: string) => imported === name || imported.startsWith(`${name}/`);

/** The sources that each source file imports, types too: relative to the root, or a package's name. */
function* importsOf(room: string): Generator<{ source: string; imported: string }> {
    for (const path of readdirSync(`${root}${room}/src`, { recursive: true, encoding: "utf8" })) {
        if (/\.tsx?$/.test(path)) {
            const source = posix.join(room, "src", path.replaceAll(sep, "/"));
            for (const { fileName } of ts.preProcessFile(readFileSync(root + source, "utf8")).importedFiles) {
                const imported = fileName.startsWith(".") ? posix.join(posix.dirname(source), fileName) : fileName;
                yield { source, imported };
            }
        }
    }
}

/**
 * Draws the code's imports for dev/architecture/import-graph.md, as a Mermaid fence: one box per folder, one arrow where a
 * folder imports from another.
 */
export function draw(): string {
    const folders = new Set<string>();
    const arrows = new Set<string>();
    for (const { source, imported } of rooms.flatMap((room) => [...importsOf(room)])) {
        const from = folderOf(source);
        folders.add(from);
        const room = rooms.find((each) => isOf(packageNames.get(each)!, imported)) ?? roomOf(imported);
        if (room !== roomOf(source)) {
            if (rooms.includes(room)) {
                // Across packages, the arrow ends at the top-level folder, because inner folders are private.
                arrows.add(`${nodeId(roomOf(source))}_room --> ${nodeId(room)}_room`);
            }
        } else if (imported.includes("/src/") && folderOf(imported) !== from) {
            // A dependency outside src/ is the package's own build output, which is not an import of a source folder.
            arrows.add(`${nodeId(from)} --> ${nodeId(folderOf(imported))}`);
        }
    }
    const sorted = [...folders].sort();
    const lines = rooms.flatMap((room) => [
        `    subgraph ${nodeId(room)}_room ["${room}/"]`,
        ...sorted
            .filter((folder) => folder === room || folder.startsWith(`${room}/`))
            .map(
                (folder) =>
                    `        ${nodeId(folder)}["${folder === room ? "entry points" : folder.slice(room.length + 1)}"]`,
            ),
        "    end",
    ]);
    return ["```mermaid", "flowchart TD", ...lines, ...[...arrows].sort().map((arrow) => `    ${arrow}`), "```"].join(
        "\n",
    );
}

import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";

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

/**
 * Draws the code's imports for dev/architecture/import-graph.md, as a Mermaid fence: one box per folder, one arrow where a
 * folder imports from another.
 */
export async function draw(): Promise<string> {
    const { output } = await cruise(
        rooms.map((room) => `${room}/src`),
        { ...(await extractDepcruiseOptions(`${root}.dependency-cruiser.mjs`)), baseDir: root },
        {},
        { tsConfig: extractTSConfig(`${root}tsconfig.base.json`) },
    );
    const modules = (output as ICruiseResult).modules.filter(({ source }) => /^[a-z]+\/src\//.test(source));
    const folders = [...new Set(modules.map(({ source }) => folderOf(source)))].sort();
    const arrows = new Set<string>();
    for (const { source, dependencies } of modules) {
        const from = folderOf(source);
        for (const { resolved } of dependencies) {
            if (roomOf(resolved) === roomOf(source)) {
                // A dependency outside src/ is the package's own build output, which is not an import of a source
                // folder.
                if (resolved.includes("/src/") && folderOf(resolved) !== from) {
                    arrows.add(`${nodeId(from)} --> ${nodeId(folderOf(resolved))}`);
                }
            } else if (rooms.includes(roomOf(resolved))) {
                // Across packages, the arrow ends at the top-level folder, because inner folders are private.
                arrows.add(`${nodeId(roomOf(source))}_room --> ${nodeId(roomOf(resolved))}_room`);
            }
        }
    }
    const lines = rooms.flatMap((room) => [
        `    subgraph ${nodeId(room)}_room ["${room}/"]`,
        ...folders
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

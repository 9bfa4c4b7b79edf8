import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Worker } from "node:worker_threads";
import { exportSite, type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type SiteWarning } from "../../../exporter/src/problems/warning-log.js";
import { petsDocument } from "./pets-site.js";
import { type Files } from "./site-fixture.js";

const numbersOf = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

/** A site with each kind of page, in which few pages have the same content. */
export function mixedSite(pages: number): Files {
    const names = numbersOf(pages).map((page) => `guides/p${page}`);
    const navigation = {
        groups: [
            { group: "Guides", icon: "no-such-icon", pages: names },
            { group: "API", openapi: "pets.json" },
        ],
    };
    return {
        "docs.json": JSON.stringify({ name: "Mixed", navigation }),
        "pets.json": JSON.stringify(petsDocument),
        "snippets/note.mdx": "export const greet = (name) => `Hello ${name}`;\n\n<Note>Shared <Missing /></Note>\n",
        ...Object.fromEntries(names.map((name, page) => [`${name}.mdx`, sourceOf(page, pages)])),
    };
}

function sourceOf(page: number, pages: number): string {
    const parts = [
        `---\ntitle: Page ${page}\n${page % 7 === 0 ? "icon: unknown\n" : ""}${page % 50 === 3 ? "groups: [staff]\n" : ""}---`,
        page % 40 === 0 ? 'import Note, { greet } from "/snippets/note.mdx";\n\n<Note />\n\n{greet("reader")}' : "",
        `## Section ${page}\n\n[next](/guides/p${page + 1}#section-${page + 1}) [part](./p${(page * 7) % pages}.mdx#none)`,
        `[gone](/gone${page % 4}) Words alpha beta${page} gamma.`,
        page % 10 === 1 ? `\`\`\`ts\nconst value: number = ${page};\n\`\`\`` : "",
        page % 60 === 2 ? '<div className="bg-red-500">box</div>' : "",
        page % 30 === 4 ? `<Update label="v${page}">New</Update>` : "",
    ];
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

interface Exported {
    readonly bundle: Buffer;
    /** The result, and each place of a warning, in order. */
    readonly facts: unknown;
    readonly threads: number;
}

/** Exports the folder `site`, and counts the threads that the export starts. */
export async function exportWith(
    folder: string,
    cores: number,
    options: Partial<ExportSiteOptions> = {},
): Promise<Exported> {
    const places: SiteWarning[] = [];
    const threads: Worker[] = [];
    const onWorker = (thread: Worker) => void threads.push(thread);
    process.on("worker", onWorker);
    const archivePath = join(folder, `${cores}.tar.gz`);
    try {
        const facts = await exportSite({
            sourceDir: join(folder, "site"),
            domain: "docs.example.com",
            archivePath,
            cores,
            onWarning: (warning) => void places.push(warning),
            ...options,
        });
        return { bundle: readFileSync(archivePath), facts: { ...facts, places }, threads: threads.length };
    } finally {
        process.off("worker", onWorker);
        rmSync(archivePath, { force: true });
        assert.ok(
            options.idleWorkers !== undefined || threads.every(({ threadId }) => threadId === -1),
            "a thread is still running",
        );
    }
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureNpmPackage, instrumenter } from "@pulumi-static-export/toolchain";
import { asModule } from "./as-module.js";

/** A change of one expression. */
export interface Mutant {
    readonly id: string;
    readonly file: string;
    readonly line: number;
    /** The original text, and what replaces it. */
    readonly change: string;
}

interface StrykerMutant {
    id: string;
    fileName: string;
    replacement: string;
    status?: string;
    location: { start: Place; end: Place };
}

interface Place {
    line: number;
    column: number;
}

interface Instrumenter {
    instrument(files: object[], options: object): Promise<{ files: { content: string }[]; mutants: StrykerMutant[] }>;
}

interface NumberNode {
    readonly type: string;
    readonly value: unknown;
}

interface Mutator {
    name: string;
    mutate(path: { node: NumberNode }): Iterable<object>;
}

/** Makes each limit and delay ten times as large. Stryker has no such mutator. */
const numberMutator: Mutator = {
    name: "NumericLiteral",
    *mutate({ node }) {
        if (node.type === "NumericLiteral" && Number(node.value) > 1) {
            yield { type: "NumericLiteral", value: 10 * Number(node.value) };
        }
    },
};

/** Texts are not changed: most are messages, and an empty SQL statement fails in every spec. */
const options = { plugins: null, excludedMutations: ["StringLiteral"], ignorers: [], noHeader: false };

/** @returns all mutants of these files, and JavaScript that contains all of them by the URLs of its files */
export async function instrument(
    files: readonly string[],
    { onlyNumbers }: { onlyNumbers: boolean },
): Promise<{ mutants: Mutant[]; sources: Record<string, string> }> {
    const folder = await ensureNpmPackage(instrumenter, { onProgress: console.error });
    const entry = createRequire(join(folder, "package.json")).resolve(folder);
    const { Instrumenter } = (await import(pathToFileURL(entry).href)) as {
        Instrumenter: new (logger: object) => Instrumenter;
    };
    if (onlyNumbers) {
        const mutators = pathToFileURL(join(dirname(entry), "mutators/mutate.js")).href;
        const { allMutators } = (await import(mutators)) as { allMutators: Mutator[] };
        allMutators.splice(0, Infinity, numberMutator);
    }
    const silent = new Proxy({}, { get: () => () => false });
    const originals = files.map((file) => ({ name: resolve(file), content: readFileSync(file, "utf8"), mutate: true }));
    const result = await new Instrumenter(silent).instrument(originals, options);
    const mutants = result.mutants
        .filter(({ status }) => status !== "Ignored")
        .map(({ id, fileName, replacement, location: { start, end } }): Mutant => {
            const place = originals.findIndex(({ name }) => name === fileName);
            const lines = originals[place]!.content.split("\n").slice(start.line, end.line + 1);
            const original = lines.join(" ").slice(start.column, start.line === end.line ? end.column : undefined);
            return {
                id,
                file: files[place]!,
                line: start.line + 1,
                change: `${shortened(original)}  →  ${shortened(replacement)}`,
            };
        });
    const sources: Record<string, string> = {};
    result.files.forEach(({ content }, place) => {
        const code = asModule(content);
        const source = originals[place]!.name;
        // Some specs import the compiled package.
        const compiled = source.replace("/src/", "/dist/").replace(/ts$/, "js");
        [source, compiled].forEach((name) => (sources[pathToFileURL(name).href] = code));
    });
    return { mutants, sources };
}

function shortened(text: string): string {
    const line = text.replace(/\s+/g, " ");
    return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

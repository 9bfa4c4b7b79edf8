import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { unescapeHtml } from "./unescape-html.js";
import { readSource, type SourcePage, type SourceText } from "./source-texts.js";

/** A warning from the export, with one of its places. */
export interface PlacedWarning {
    readonly kind: string;
    readonly file: string;
    readonly line?: number | undefined;
    readonly reason: string;
}

export interface LostLine {
    /** The page that should show the line. */
    readonly page: string;
    /** The file with the line: the page itself or a snippet. */
    readonly file: string;
    readonly line: number;
    readonly text: string;
}

export interface LineReport {
    /** The number of lines with text for readers; a snippet's lines count once for each page that imports it. */
    readonly lines: number;
    /** Lines whose words are not on the page, and that no warning mentions. */
    readonly lost: readonly LostLine[];
}

/** The kinds of warnings about text that is not shown. */
const tellingKinds = new Set(["syntax", "component", "expression", "import", "attribute", "openapi", "formula"]);

/**
 * Looks up every line of every source page in the text that a browser shows on the exported page, independently of the
 * exporter.
 *
 * @param shown - the visible text of each page, by the name of its exported file
 */
export async function findLostLines(
    shown: ReadonlyMap<string, readonly string[]>,
    sourceDir: string,
    warnings: readonly PlacedWarning[],
): Promise<LineReport> {
    const search = new LineSearch(shown, sourceDir, warnings);
    for (const file of await pageFilesOf(sourceDir)) {
        await search.page(file);
    }
    return search.report;
}

async function pageFilesOf(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
        .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
        .sort();
}

class LineSearch {
    readonly #sources = new Map<string, SourcePage | undefined>();
    readonly #warnings = new Map<string, PlacedWarning[]>();
    /** Files whose address another page uses, according to a warning. */
    readonly #leftOut: ReadonlySet<string>;
    readonly #lost: LostLine[] = [];
    #lines = 0;

    constructor(
        private readonly shown: ReadonlyMap<string, readonly string[]>,
        private readonly sourceDir: string,
        warnings: readonly PlacedWarning[],
    ) {
        const isLeftOut = ({ kind, reason }: PlacedWarning) => kind === "navigation" && reason.endsWith("left out");
        this.#leftOut = new Set(warnings.filter(isLeftOut).map(({ file }) => file));
        for (const warning of warnings.filter(({ kind }) => tellingKinds.has(kind))) {
            const known = this.#warnings.get(warning.file);
            if (known === undefined) {
                this.#warnings.set(warning.file, [warning]);
            } else {
                known.push(warning);
            }
        }
    }

    get report(): LineReport {
        return { lines: this.#lines, lost: this.#lost };
    }

    async page(file: string): Promise<void> {
        const exported = this.#exportedFileOf(file);
        if (exported === undefined || this.#leftOut.has(file)) {
            return;
        }
        const shown = (this.shown.get(exported) ?? []).map(lettersOf).join("\n");
        // The navigation may assign a page other than the README to a folder.
        const [first] = isReadme(file) ? ((await this.#source(file))?.texts ?? []).flatMap(fragmentsOf) : [];
        if (first === undefined || shown.includes(first)) {
            await this.#check(file, { page: file, shown, seen: new Set() });
        }
    }

    /** Looks up the lines of a page, and then of the snippets that it imports. */
    async #check(
        file: string,
        on: { page: string; shown: string; seen: Set<string> },
        importedAs: readonly string[] = [],
    ): Promise<void> {
        on.seen.add(file);
        const source = await this.#source(file);
        const lost = new Map<number, string>();
        const lines = new Set<number>();
        for (const text of source?.texts ?? []) {
            const fragments = fragmentsOf(text);
            if (fragments.length > 0) {
                lines.add(text.line);
            }
            const missing = fragments.find((letters) => !on.shown.includes(letters));
            if (
                missing !== undefined &&
                !this.#isTold(file, text) &&
                !importedAs.some((name) => this.#isNamed(on.seen, name))
            ) {
                lost.set(text.line, text.text.trim());
            }
        }
        this.#lines += lines.size;
        for (const [line, text] of lost) {
            this.#lost.push({ page: on.page, file, line, text });
        }
        for (const { names, from } of source?.imports ?? []) {
            const snippet = this.#snippetOf(file, from);
            if (snippet !== undefined && !on.seen.has(snippet)) {
                await this.#check(snippet, on, [...importedAs, ...names, posix.basename(snippet)]);
            }
        }
    }

    /** Returns whether a warning names this line, the element around it, or the component that shows it. */
    #isTold(file: string, { line, from, component }: SourceText): boolean {
        return (
            (this.#warnings.get(file) ?? []).some(
                (warning) => warning.line === undefined || (warning.line >= from && warning.line <= line),
            ) ||
            (component !== undefined && this.#isNamed([file], component))
        );
    }

    #isNamed(files: Iterable<string>, name: string): boolean {
        // In Markdown, names of elements are in lower case.
        const isNaming = ({ reason }: PlacedWarning) => reason.toLowerCase().includes(name.toLowerCase());
        return [...files].some((file) => (this.#warnings.get(file) ?? []).some(isNaming));
    }

    async #source(file: string): Promise<SourcePage | undefined> {
        if (!this.#sources.has(file)) {
            const text = await readFile(join(this.sourceDir, file), "utf8");
            this.#sources.set(file, readSource(text, isMdx(file, text)));
        }
        return this.#sources.get(file);
    }

    #exportedFileOf(file: string): string | undefined {
        const route = file.replace(/\.mdx?$/i, "");
        const folder = posix.dirname(file);
        const hasIndex = ["index.mdx", "index.md"].some((name) => existsSync(join(this.sourceDir, folder, name)));
        const ofFolder = posix.basename(route) === "index" || (isReadme(file) && !hasIndex);
        const routes = [route, ...(ofFolder ? [folder === "." ? "index" : folder] : [])];
        return routes.map((each) => `${each}.html`).find((each) => this.shown.has(each));
    }

    #snippetOf(file: string, from: string): string | undefined {
        const path = from.startsWith(".") ? posix.join(posix.dirname(file), from) : from.replace(/^\/+/, "");
        return /\.mdx?$/.test(path) && existsSync(join(this.sourceDir, path)) ? path : undefined;
    }
}

/** Mintlify reads `.md` as MDX. */
function isMdx(file: string, text: string): boolean {
    return file.endsWith(".mdx") || (/^import .* from /m.test(text) && /<[A-Z]/.test(text));
}

function isReadme(file: string): boolean {
    return /(?:^|\/)readme\.mdx?$/i.test(file);
}

function fragmentsOf({ text, isCode }: SourceText): string[] {
    const parts = isCode
        ? [text]
        : unescapeHtml(text)
              .replace(/&[a-z]+\d*;/gi, " ; ")
              .split(/[^\p{L}\p{M}\p{N}\s]+/u);
    return parts.map(lettersOf).filter((letters) => letters !== "");
}

function lettersOf(text: string): string {
    return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

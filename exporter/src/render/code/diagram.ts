import { beginningOf } from "@pulumi-static-export/contract";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createContext, type Context, Script } from "node:vm";
import { escapeHtml } from "../../text/html-text.js";
import { word } from "../../words/words.js";

interface ParseError {
    readonly name: string;
    readonly message: string;
}

/** A diagram that takes longer is not checked, nor are those after the page's second such diagram. */
const maxMs = 5000;
const maxSlow = 2;
/** Mermaid's own limit of a diagram's length. */
const maxLength = 50_000;

/** Mermaid's text sanitizer needs the elements of a browser; parsing does not depend on its results. */
const prepare = new Script(
    "globalThis.window = globalThis.self = globalThis;" +
        "Function.prototype.addHook = () => undefined; Function.prototype.sanitize = (text) => text;",
);
const parse = new Script(
    "problem = undefined;" +
        "mermaid.parse(text).catch(({ name, message }) => { problem = { name, message: String(message) } });",
);

let realm: Context | undefined;

/** Writes a page's diagrams, which the theme's script draws in the browser. */
export class Diagrams {
    hasDrawing = false;
    #slow = 0;

    constructor(private readonly page: DiagramContext) {}

    /** @returns undefined if Mermaid cannot draw the diagram */
    write(text: string): string | undefined {
        const problem = this.#slow < maxSlow ? problemOf(text, () => (this.#slow += 1)) : undefined;
        if (problem !== undefined) {
            this.page.warn("diagram", `the diagram is shown as it is written: ${problem}`);
            return undefined;
        }
        this.hasDrawing = true;
        const linked = text.replace(
            linkOfNode,
            (_, before: string, href: string) => `${before}"${this.page.link(href).replaceAll('"', "%22")}"`,
        );
        const name = title.exec(text)?.[1]?.trim();
        const label = name === undefined ? word("diagram") : escapeHtml(name);
        return `<figure class="diagram"><pre class="mermaid" role="group" aria-label="${label}" tabindex="0">${escapeHtml(linked)}</pre></figure>`;
    }
}

/** The page around a diagram. */
interface DiagramContext {
    link(href: string): string;
    warn(kind: "diagram", reason: string): void;
}

/** `click A "/guides/two"`, `click A href "…"` in flowcharts and Gantt charts, `link A "…"` in class diagrams. */
const linkOfNode = /^([ \t]*(?:click|link)[ \t]+[^\s"]+[ \t]+(?:href[ \t]+)?)"([^"\n]+)"/gm;

/** A diagram's title, in its front matter or on a separate line. */
const title = /^[ \t]*(?:pie[ \t]+(?:showData[ \t]+)?)?title:?[ \t]+["']?([^\s"'=([{<-][^\n"']*)/m;

/** Returns why Mermaid cannot draw a diagram; undefined if it can, or if only a browser can tell. */
function problemOf(text: string, onSlow: () => void): string | undefined {
    if (text.length > maxLength) {
        return `it has more than ${maxLength} characters`;
    }
    realm ??= createRealm();
    Object.assign(realm, { text, problem: undefined });
    try {
        parse.runInContext(realm, { timeout: maxMs });
    } catch {
        realm = undefined; // It may still contain unfinished work.
        onSlow();
        return undefined;
    }
    const error = realm["problem"] as ParseError | undefined;
    return error === undefined || undecided.has(error.name) ? undefined : reasonOf(error, text);
}

/** Errors of Mermaid's code where it expects a browser or a larger stack. */
const undecided = new Set(["TypeError", "ReferenceError", "RangeError"]);

function reasonOf({ name, message }: ParseError, text: string): string {
    if (name === "UnknownDiagramError") {
        return "its first line does not name a supported type of diagram";
    }
    const [, line] = /error on line (\d+)/.exec(message) ?? [];
    return line === undefined
        ? beginningOf(message, 200).replace(/\n[^]*/, "")
        : `Mermaid cannot read its line ${lineInSource(text, Number(line))}`;
}

/** Mermaid counts lines without a diagram's front matter, comments, and the empty lines before its type. */
function lineInSource(text: string, line: number): number {
    const lines = text.trimEnd().split("\n");
    const fences = lines.flatMap((source, index) => (source.trim() === "---" ? [index] : []));
    const first = text.trimStart().startsWith("---") ? (fences[1] ?? -1) + 1 : 0;
    const counted: number[] = [];
    for (let index = first; index < lines.length; index += 1) {
        const isLeft = counted.length === 0 ? /^\s*(?:$|%%)/ : /^\s*%%(?!\{)./;
        if (!isLeft.test(lines[index] ?? "")) {
            counted.push(index + 1);
        }
    }
    return counted[line - 1] ?? lines.length;
}

/** Runs Mermaid without a browser. Its promises settle before `runInContext` returns. */
function createRealm(): Context {
    const nothing = () => undefined;
    const document = { addEventListener: nothing, querySelectorAll: () => [], baseURI: "" };
    const quiet = { log: nothing, info: nothing, debug: nothing, trace: nothing, warn: nothing, error: nothing };
    const context = createContext(
        {
            addEventListener: nothing,
            console: quiet,
            document,
            setTimeout: nothing,
            clearTimeout: nothing,
            structuredClone,
            TextDecoder,
            TextEncoder,
            URL,
        },
        { microtaskMode: "afterEvaluate" },
    );
    prepare.runInContext(context);
    const script = createRequire(import.meta.url).resolve("@mermaid-js/tiny/dist/mermaid.tiny.js");
    new Script(readFileSync(script, "utf8")).runInContext(context);
    return context;
}

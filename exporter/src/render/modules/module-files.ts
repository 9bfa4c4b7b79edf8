import { getOrMake } from "../../text/get-or-make.js";
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Program } from "estree-jsx";
import { type HastNode } from "satteri";
import { type FoundFiles } from "../../read/files/found-files.js";
import { isMdxFile } from "../../read/files/routes.js";
import { parsePage } from "../../read/markdown/parse-page.js";
import { childrenOf, isElement } from "../../text/syntax-tree.js";
import { parseModule } from "../../text/script-parser.js";
import { emptyRecord, reasonOfUnsupported, UnsupportedExpressionError, type Value } from "../../text/script-value.js";

/** The lines of a file that contain JavaScript. */
export interface ScriptPart {
    readonly code: string;
    readonly firstLine: number;
    /** The syntax tree; undefined if the code does not parse. */
    readonly program: Program | undefined;
    readonly problem: string | undefined;
}

/** The content of a file that pages import. */
type ModuleFile =
    | { readonly kind: "value"; readonly value: Value }
    | { readonly kind: "script"; readonly parts: readonly ScriptPart[] }
    | {
          readonly kind: "content";
          readonly nodes: readonly HastNode[];
          readonly parts: readonly ScriptPart[];
          readonly repairs: readonly { readonly line: number | undefined; readonly reason: string }[];
      };

const assetPattern = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|css)$/i;
/** File extensions that imports may omit. */
const endings = [".mdx", ".md", ".jsx", ".js", ".tsx", ".ts"];
const scriptPattern = /\.(?:jsx?|tsx?|mjs)$/i;

/** Finds and parses imported files, each once. */
export class ModuleFiles {
    readonly #parsed = new Map<string, ModuleFile>();
    readonly #digests = new Map<string, string>();

    constructor(private readonly content: Pick<FoundFiles, "has" | "readText">) {}

    /** Returns a digest of a file's text, which shows whether a cached page's imports are unchanged. */
    digestOf(file: string): string {
        return getOrMake(this.#digests, file, () =>
            createHash("sha256")
                .update(this.content.has(file) ? this.content.readText(file) : "")
                .digest("base64url")
                .slice(0, 22),
        );
    }

    has(file: string): boolean {
        return this.content.has(file);
    }

    textOf(file: string): string {
        return this.content.readText(file);
    }

    /** Lists the files that an import may mean: the first file that exists counts. */
    placesOf(specifier: string, from: string): readonly string[] {
        const path = specifier.startsWith("/")
            ? specifier.slice(1)
            : /^\.{1,2}\//.test(specifier)
              ? posix.join(posix.dirname(from), specifier)
              : specifier;
        const normal = posix.normalize(path);
        const places = ["", ...endings, ...endings.map((end) => `/index${end}`)].map((end) => normal + end);
        return normal.startsWith("../") ? [] : places;
    }

    /** @throws UnsupportedExpressionError */
    read(file: string): ModuleFile {
        return getOrMake(this.#parsed, file, () => this.#parse(file));
    }

    #parse(file: string): ModuleFile {
        if (assetPattern.test(file)) {
            return { kind: "value", value: `/${file}` };
        }
        const text = this.content.readText(file);
        if (/\.json$/i.test(file)) {
            return { kind: "value", value: dataOf(text) };
        }
        if (scriptPattern.test(file)) {
            return { kind: "script", parts: [scriptPart(text, 1)] };
        }
        const { root, repairs } = parsePage(text, isMdxFile(file));
        nameFootnotes(root, file.replace(/\W+/g, "-"));
        return { kind: "content", nodes: childrenOf(root), parts: scriptParts(root), repairs };
    }
}

/** Footnotes of an imported file must not take over the ids of the page's own footnotes. */
function nameFootnotes(node: HastNode, name: string): void {
    if (isElement(node)) {
        for (const key of ["id", "href"]) {
            const value = node.properties[key];
            if (typeof value === "string") {
                node.properties[key] = value.replace(/^#?user-content-fn(?:ref)?-/, `$&${name}-`);
            }
        }
    }
    childrenOf(node).forEach((child) => nameFootnotes(child, name));
}

/**
 * The `import` and `export` lines of a page, even between component tags, because these lines apply to the whole page.
 */
export function scriptParts(root: HastNode): readonly ScriptPart[] {
    return childrenOf(root).flatMap((node) => {
        switch (node.type) {
            case "mdxjsEsm":
                return [scriptPart(node.value, node.position?.start.line ?? 1)];
            case "mdxJsxFlowElement":
                return scriptParts(node);
            default:
                return [];
        }
    });
}

function scriptPart(code: string, firstLine: number): ScriptPart {
    try {
        return { code, firstLine, program: parseModule(code), problem: undefined };
    } catch (error) {
        return { code, firstLine, program: undefined, problem: reasonOfUnsupported(error) };
    }
}

function dataOf(text: string): Value {
    try {
        return JSON.parse(text, (_, value: unknown) =>
            typeof value === "object" && value !== null && !Array.isArray(value)
                ? Object.assign(emptyRecord(), value)
                : value,
        ) as Value;
    } catch {
        throw new UnsupportedExpressionError("it is not valid JSON");
    }
}

import { parse } from "yaml";
import { type JsxTag, readTag, skipBraces } from "./jsx-tag.js";
import { LineFinder } from "./line-finder.js";
import { endOfCode, type FoundImport, importsIn } from "./page-code.js";
import { attributesForReaders, isForNoReader, titleOfFence } from "./reader-attributes.js";

/** Text of a source file that readers should find on its page. */
export interface SourceText {
    /** From 1. */
    readonly line: number;
    /** The beginning of the surrounding tag, fence, expression or code. */
    readonly from: number;
    readonly text: string;
    /** Code contains no markup between its letters, but other text may contain markup. */
    readonly isCode: boolean;
    /** The component in the page's code that shows the text. */
    readonly component?: string;
}

/** The text that a page or a snippet has to show, found without a Markdown or MDX parser. */
export interface SourcePage {
    readonly texts: readonly SourceText[];
    /** Files whose content the page shows, by the names that the page gives them. */
    readonly imports: readonly FoundImport[];
}

export function readSource(source: string, isMdx: boolean): SourcePage {
    return new SourceReader(source, isMdx).read();
}

class SourceReader {
    readonly #texts: SourceText[] = [];
    readonly #imports: FoundImport[] = [];
    /** Names of components that the page defines or imports: their attributes are code, not text. */
    readonly #own = new Set<string>();
    readonly #lines: LineFinder;
    readonly #withoutComments: string;

    constructor(
        private readonly source: string,
        private readonly isMdx: boolean,
    ) {
        this.#lines = new LineFinder(source);
        this.#withoutComments = source.replace(/\{\/\*[^]*?\*\/\}|<!--[^]*?-->/g, "");
    }

    read(): SourcePage {
        const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)\n---[ \t]*(?:\r?\n|$)/.exec(this.source);
        if (frontMatter !== null) {
            this.#frontMatter(frontMatter[1] ?? "");
        }
        let at = frontMatter?.[0].length ?? 0;
        while (at < this.source.length) {
            at = this.#step(at);
        }
        const imports = this.#imports.filter(({ names }) => names.some((name) => this.#isUsed(name)));
        return { texts: this.#texts, imports };
    }

    /** Reads the construct at a position. @returns the position after the construct */
    #step(at: number): number {
        const isLineStart = at === 0 || this.source[at - 1] === "\n";
        const block = isLineStart ? (this.#fence(at) ?? this.#skipped(definition, at) ?? this.#code(at)) : undefined;
        if (block !== undefined) {
            return block;
        }
        switch (this.source[at]) {
            case "`":
                return this.#codeSpan(at);
            case "<":
                return this.#skipped(comment, at) ?? this.#tag(at);
            case "{":
                return (
                    this.#tagOfGitBook(at) ??
                    (this.isMdx ? this.#expression(at) : (this.#skipped(headingId, at) ?? at + 1))
                );
            case "]":
                return this.#skipped(linkTarget, at) ?? at + 1;
            case "[":
                return this.#skipped(footnoteOrKind, at) ?? at + 1;
            default:
                return this.#plain(at);
        }
    }

    #skipped(pattern: RegExp, at: number): number | undefined {
        pattern.lastIndex = at;
        return pattern.test(this.source) ? pattern.lastIndex : undefined;
    }

    #frontMatter(text: string): void {
        let values: unknown;
        try {
            values = parse(text, { logLevel: "silent" });
        } catch {
            return;
        }
        for (const name of ["title", "description"]) {
            const value = (values as Record<string, unknown> | null)?.[name];
            const line = 2 + text.split("\n").findIndex((each) => each.startsWith(`${name}:`));
            if (typeof value === "string") {
                this.#inline(value, line, line);
            }
        }
    }

    #fence(at: number): number | undefined {
        fenceStart.lastIndex = at;
        const [whole, mark = "", info = ""] = fenceStart.exec(this.source) ?? [];
        if (whole === undefined || (mark.startsWith("`") && info.includes("`"))) {
            return undefined;
        }
        const from = this.#lines.at(at);
        this.#plainText(titleOfFence(info), from, from);
        const fenceEnd = new RegExp(`^[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*\\r?$`);
        let next = at + whole.length;
        for (let line = from + 1; next < this.source.length; line += 1) {
            const end = this.#lineEnd(next);
            const text = this.source.slice(next, end);
            next = end + 1;
            if (fenceEnd.test(text)) {
                break;
            }
            this.#texts.push({ line, from, text: text.trimEnd().replace(codeMark, ""), isCode: true });
        }
        return next;
    }

    /** Reads the imports and exports of MDX. */
    #code(at: number): number | undefined {
        if (!this.isMdx || !/^(?:import|export)[\s{*"']/.test(this.source.slice(at, at + 8))) {
            return undefined;
        }
        const end = endOfCode(this.source, at);
        const text = this.source.slice(at, end);
        const line = this.#lines.at(at);
        for (const found of importsIn(text)) {
            found.names.forEach((name) => this.#own.add(name));
            this.#imports.push(found);
        }
        const [, defined] = /^export\s+(?:default\s+)?(?:const|let|var|function)\s+([A-Za-z_$][\w$]*)/.exec(text) ?? [];
        if (defined !== undefined) {
            this.#own.add(defined);
            if (this.#isUsed(defined)) {
                this.#jsxIn(at, end, line, defined);
            }
        }
        return end;
    }

    #isUsed(name: string): boolean {
        return new RegExp(`<${name.replaceAll("$", "\\$")}[\\s/>.]`).test(this.#withoutComments);
    }

    #codeSpan(at: number): number {
        const [mark = ""] = /^`+/.exec(this.source.slice(at, at + 20)) ?? [];
        const end = this.source.indexOf(mark, at + mark.length);
        const content = this.source.slice(at + mark.length, end);
        if (end === -1 || nextBlock.test(content)) {
            return at + mark.length;
        }
        const line = this.#lines.at(at);
        this.#plainText(content, line, line);
        return end + mark.length;
    }

    #tag(at: number): number {
        const tag = readTag(this.source, at);
        if (tag === undefined) {
            return at + 1;
        }
        const line = this.#lines.at(at);
        if (!tag.isClosing && !tag.isEmpty && isForNoReader(tag)) {
            const end = this.source.indexOf(`</${tag.name}`, tag.end);
            return end === -1 ? tag.end : end;
        }
        this.#attributes(tag, line);
        return tag.end;
    }

    #attributes(tag: JsxTag, line: number): void {
        if (!this.#own.has(tag.name.split(".", 1)[0] ?? "")) {
            for (const { text, at } of attributesForReaders(tag)) {
                this.#inline(text ?? "", this.#lines.at(at), line);
            }
        }
    }

    #tagOfGitBook(at: number): number | undefined {
        gitBookTag.lastIndex = at;
        const [tag, title] = gitBookTag.exec(this.source) ?? [];
        if (tag === undefined) {
            return undefined;
        }
        const line = this.#lines.at(at);
        this.#plainText(title ?? "", line, line);
        return at + tag.length;
    }

    /** Reads only the literals of an expression, and the text between its tags. */
    #expression(at: number): number {
        const end = skipBraces(this.source, at);
        if (end === undefined) {
            return at + 1;
        }
        const code = this.source.slice(at + 1, end - 1);
        const line = this.#lines.at(at);
        const [, , literal] = /^\s*(["'`])((?:(?!\1)[^\\$]|\\.)*)\1\s*$/s.exec(code) ?? [];
        if (literal !== undefined) {
            this.#plainText(literal, line, line);
        } else if (!/^\s*\/\*/.test(code)) {
            this.#jsxIn(at + 1, end - 1, line);
        }
        return end;
    }

    /** Reads the text right after a tag, up to the next tag or expression. */
    #jsxIn(start: number, end: number, from: number, component?: string): void {
        let at = start;
        while (at < end) {
            const string = this.#skipped(codeString, at);
            const tag = this.source[at] === "<" ? readTag(this.source, at) : undefined;
            if (tag === undefined || tag.end > end) {
                at = string ?? at + 1;
                continue;
            }
            this.#attributes(tag, from);
            jsxText.lastIndex = tag.end;
            const [text = ""] = jsxText.exec(this.source) ?? [];
            this.#plainText(text.slice(0, end - tag.end), this.#lines.at(tag.end), from, component);
            at = tag.end + text.length;
        }
    }

    #plain(at: number): number {
        plainRun.lastIndex = at;
        const [text = ""] = plainRun.exec(this.source) ?? [];
        if (text === "") {
            return at + 1;
        }
        const line = this.#lines.at(at);
        this.#plainText(text, line, line);
        return at + text.length;
    }

    /** Reads text with markup, such as the value of an attribute. */
    #inline(text: string, line: number, from: number): void {
        for (const each of readSource(text, true).texts) {
            this.#texts.push({ ...each, line: line + each.line - 1, from });
        }
    }

    #plainText(text: string, line: number, from: number, component?: string): void {
        text.split("\n").forEach((each, index) => {
            this.#texts.push({
                line: line + index,
                from,
                text: each.replace(marker, ""),
                isCode: false,
                ...(component !== undefined && { component }),
            });
        });
    }

    #lineEnd(at: number): number {
        const end = this.source.indexOf("\n", at);
        return end === -1 ? this.source.length : end;
    }
}

const fenceStart = /[ \t>]*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})([^\n]*)\n?/y;
const definition = /[ \t>]*\[(?!\^)[^\]\n]+\]:[ \t]*\n?[ \t]*\S[^\n]*|[ \t]*:{3,}[ \t]*[\w-]*/y;
const comment = /<!--[^]*?-->/y;
const headingId = /\{ *(?:[#.:]|[\w-]+=)[^}\n]*\}|\{docsify-\w+\}|\{\{<\s*\w+/y;
const gitBookTag = /\{%-?\s*\w+(?:[^%\n]*?\btitle="([^"\n]*)")?[^%\n]*%\}/y;
const linkTarget =
    /\]\(\s*(?:<[^>\n]*>|\\.|[^()\s\\]|\([^()\s]*\))*(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)|\]\[[^\]\n]*\]/y;
const footnoteOrKind = /\[\^[^\]\n]*\]:?|\[\\?![\w-]+\]/y;
const codeMark = /(?:\/\/|#|--|<!--|\/\*)?\s*\[!code[^\]]*\].*$/;
const codeString = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[^]*?\*\/|\/\/[^\n]*/y;
const jsxText = /[^<{}]*/y;
const plainRun = /(?:\\[^\n]|[^`<{[\]\n\\])+|\n/y;
/** Matches the end of a paragraph, list item or table row: code spans do not extend beyond it. */
const nextBlock = /\n[ \t>]*(?:\r?\n|[-*+][ \t]|\d+[.)][ \t]|\||#{1,6}[ \t])/;
const marker = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)+/;

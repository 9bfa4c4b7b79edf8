import { heading, itemMarker } from "./page-text/block-starts.js";
import { type PageText } from "./page-text/page-text.js";

interface Element {
    readonly name: string;
}

/** A list item, with the width of its marker, or a quote. */
interface Container {
    readonly width: number | "quote";
}

/**
 * Moves a line with closing tags out of a list or quote that began after the opening tag. Prettier indents such lines,
 * so that Markdown reads them as a part of the last item. MDX refuses these pages, and the native parser ends the
 * process, or returns a damaged tree (dev/satteri/README.md).
 * @throws Error in the parser's form if other content is next to such a closing tag
 */
export function moveClosingTags(page: PageText): PageText {
    if (!closingTagInContainer.test(page.text) || !container.test(page.text)) {
        return page;
    }
    const open = new OpenBlocks();
    let isInCode = false;
    return page.withLines(({ text: line, isCode }, index) => {
        const wasInCode = isInCode;
        isInCode = isCode;
        if (isInCode && !wasInCode) {
            open.readCode(line);
        }
        return isInCode ? line : open.read(line, index + 1);
    });
}

const closingTagInContainer = new RegExp(String.raw`^(?:[ \t]|[ \t]*>|[ \t]*${itemMarker}[ \t]).*</[A-Za-z>]`, "m");
const container = new RegExp(String.raw`^[ \t]*(?:>|${itemMarker}[ \t])`, "m");
const marker = new RegExp(String.raw`^ *(?:> ?|${itemMarker}(?: +(?=\S)|$))`);
const quoteMarker = /^ *> ?/;
/** Matches a line that cannot continue the paragraph in front of it. */
const endsParagraph = new RegExp(String.raw`^ *(?:[<>{]|${heading}|${itemMarker} +\S)`);
const onlyClosingTags = /^ *(?:<\/[\w.:-]*\s*>\s*)+$/;
const attribute = /[^<>"'{}/]|\/(?!>)|"[^"]*"|'[^']*'|\{[^{}]*\}/;
const tagOrCode = new RegExp(
    `\`[^\`]*\`|\\{[^{}]*\\}|<(\\/?)([A-Za-z][\\w.:-]*|(?=>))((?:${attribute.source})*)(\\/?>|$)`,
    "g",
);
const endOfTag = new RegExp(`^(?:${attribute.source})*(\\/?)>`);

/** The elements and containers that are open at a line, the innermost last. */
class OpenBlocks {
    readonly #blocks: (Element | Container)[] = [];
    #isAfterBlank = true;
    /** Whether the last element's opening tag continues on the next line. */
    #isInTag = false;

    /** Reads the first line of fenced code, which may also begin list items. */
    readCode(line: string): void {
        this.#openContainers(this.#continueContainers(line.replaceAll("\t", "    ")).rest);
        this.#isAfterBlank = false;
    }

    /** Returns the line, moved if it closes an element from within a container that began later. */
    read(line: string, number: number): string {
        const { rest, prefixes } = this.#continueContainers(line.trimEnd().replaceAll("\t", "    "));
        this.#isAfterBlank = rest.trim() === "";
        if (this.#isAfterBlank) {
            this.#isInTag = false;
            return line;
        }
        const refuse = (tag: string): never => {
            const at = `${number}:${line.lastIndexOf(tag) + 1}`;
            throw new Error(`${at}: Expected the closing tag \`${tag}>\` after the end of the list or quote`);
        };
        if (onlyClosingTags.test(rest)) {
            const place = this.#placeOfClosingTags(rest, prefixes, refuse);
            return place === undefined ? line : `${place}${rest.trimStart()}`;
        }
        this.#readTags(this.#openContainers(rest), refuse);
        return line;
    }

    /** Returns the rest of the line, and for each container that the line continues, the part of the line before it. */
    #continueContainers(line: string): { rest: string; prefixes: ReadonlyMap<object, string> } {
        const prefixes = new Map<object, string>();
        let rest = line;
        for (const [at, block] of this.#blocks.entries()) {
            if (!("width" in block) || rest === "") {
                continue;
            }
            const indent = block.width === "quote" ? "" : " ".repeat(block.width);
            const own =
                block.width === "quote" ? quoteMarker.exec(rest)?.[0] : rest.startsWith(indent) ? indent : undefined;
            if (own === undefined) {
                if (this.#isAfterBlank || endsParagraph.test(rest)) {
                    this.#blocks.length = at;
                }
                break;
            }
            prefixes.set(block, line.slice(0, line.length - rest.length));
            rest = rest.slice(own.length);
        }
        return { rest, prefixes };
    }

    #openContainers(line: string): string {
        let rest = line;
        for (
            let found = marker.exec(rest)?.[0];
            found !== undefined && !this.#isInTag;
            found = marker.exec(rest)?.[0]
        ) {
            this.#blocks.push({ width: found.includes(">") ? "quote" : found.length });
            rest = rest.slice(found.length);
        }
        return rest;
    }

    /** The part of the line before the container that a line of closing tags has to leave, if it has to. */
    #placeOfClosingTags(
        line: string,
        prefixes: ReadonlyMap<object, string>,
        refuse: (tag: string) => never,
    ): string | undefined {
        let end = this.#blocks.length;
        const places = Array.from(line.matchAll(/<\/([\w.:-]*)/g), ([tag, name]) => {
            end = this.#indexOf(name, end);
            const inside = this.#blocks.slice(end).map((block) => prefixes.get(block));
            return { tag, place: inside.find((prefix) => prefix !== undefined) };
        });
        this.#blocks.length = end;
        const refused = places.find(({ place }) => place !== places[0]?.place);
        return refused === undefined ? places[0]?.place : refuse(refused.tag);
    }

    /** The place of the innermost open element of a name in front of a place, or this place if there is none. */
    #indexOf(name = "", end = this.#blocks.length): number {
        const at = this.#blocks.slice(0, end).findLastIndex((block) => "name" in block && block.name === name);
        return at === -1 ? end : at;
    }

    #readTags(line: string, refuse: (tag: string) => never): void {
        let text = line;
        if (this.#isInTag) {
            const [attributes, isEmpty] = endOfTag.exec(text) ?? [];
            if (attributes === undefined) {
                return;
            }
            this.#isInTag = false;
            text = text.slice(attributes.length);
            if (isEmpty !== "") {
                this.#blocks.pop();
            }
        }
        for (const [, closes, name, , end] of text.matchAll(tagOrCode)) {
            if (name === undefined || end === "/>") {
                continue;
            }
            if (closes === "") {
                this.#blocks.push({ name });
                this.#isInTag = end === "";
                continue;
            }
            const at = this.#indexOf(name);
            if (this.#blocks.slice(at).some((block) => "width" in block)) {
                refuse(`</${name}`);
            }
            this.#blocks.length = at;
        }
    }
}

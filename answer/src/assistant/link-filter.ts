/** The maximum length of a link in an answer, in characters; a longer link becomes text. */
const maxHeld = 2000;

const removed = "(link removed)";

/**
 * Matches a closing bracket in code if a target on another site follows, as in a link or a definition. A space after
 * the bracket hardly changes the code, and prevents a link if a renderer does not treat the text as code.
 */
const linkInCode = new RegExp(
    [
        /\](?=\([^)\n]*(?:\/\/|[\\&:\t]|$))/,
        /\](?=:[ \t]*(?:<|\/\/|\S*[\\&:]))/,
        /\](?=:[ \t]*$)(?<=^[\s>*+\d.)-]*\[[^[\]]*\])/,
    ]
        .map(({ source }) => source)
        .join("|"),
    "gm",
);

/** Matches links that the parser does not find, such as links with nested brackets in their labels. */
const linkInText = /\](?=\()/g;

/** Matches the beginning of an HTML entity that may encode a character of an address. */
const entityInText = /&(?=#|(?:colon|sol|period);)/gi;

/** @returns the target of a link in an answer, or undefined if the link is not allowed */
export type ResolveLink = (target: string) => Promise<string | undefined>;

/**
 * Passes on streamed Markdown, with only the links whose targets are resolved. Replaces other links by their text and
 * pictures by their description, and does not change code. The possible beginning of a link is held back until the link
 * ends.
 */
export class LinkFilter {
    #held = "";
    /** The fence of the current code block. */
    #fence: Fence | undefined;
    /** Whether renderers may disagree on where a code block ends: from then on, everything counts as text. */
    #isUncertain = false;
    /** The number of spaces since the line began; undefined after other characters. */
    #indent: number | undefined = 0;
    /** Whether a backtick in the paragraph may begin code that ends on a later line. */
    #hasOpenTick = false;
    /** Whether the output so far ends with a bracket, so that a following parenthesis would create a link. */
    #endsInBracket = false;

    /** @param resolve called for each link */
    constructor(private readonly resolve: ResolveLink) {}

    async push(text: string): Promise<string> {
        // Renderers treat each carriage return as the end of a line.
        this.#held += text.replaceAll("\r", "");
        return this.#take(false);
    }

    /** Returns the remaining text, after the stream has ended. */
    async flush(): Promise<string> {
        return this.#take(true);
    }

    async #take(isEnd: boolean): Promise<string> {
        let output = "";
        while (this.#held !== "") {
            const token = this.#fence ? lineOf(this.#held, isEnd) : this.#token(isEnd || this.#held.length > maxHeld);
            if (token === undefined) {
                break;
            }
            this.#followFence(token);
            if (token.kind === "line" && this.#isUncertain) {
                continue;
            }
            this.#held = this.#held.slice(token.source.length);
            this.#followLine(token.source);
            const piece = await this.#replacement(token);
            output += this.#endsInBracket && piece.startsWith("(") ? ` ${piece}` : piece;
            this.#endsInBracket = piece === "" ? this.#endsInBracket : piece.endsWith("]");
        }
        return output;
    }

    #token(isEnd: boolean): Token | undefined {
        const place = { indent: this.#isUncertain ? undefined : this.#indent, hasOpenTick: this.#hasOpenTick };
        return tokenOf(this.#held, isEnd, place);
    }

    #followLine(source: string): void {
        const lines = source.split("\n");
        if (/^`+$/.test(source)) {
            this.#hasOpenTick = true;
        } else if (/^[ \t\n]*$/.test(source) && lines.length > (this.#indent === undefined ? 2 : 1)) {
            // An empty line ends the paragraph.
            this.#hasOpenTick = false;
        }
        const before = lines.length > 1 ? 0 : this.#indent;
        const last = lines.at(-1) ?? "";
        this.#indent = before !== undefined && /^ *$/.test(last) ? before + last.length : undefined;
    }

    #followFence({ kind, source }: Token): void {
        if (kind === "fence") {
            this.#fence = { mark: /^[`~]+/.exec(source)![0], indent: this.#indent ?? 0 };
        } else if (this.#fence === undefined) {
            // A code block may begin here, after a list marker or with more indentation.
            this.#isUncertain ||= kind !== "code" && /`{3}|~{3}/.test(source);
        } else if (source.trim() !== "") {
            const { mark, indent } = this.#fence;
            const spaces = source.search(/[^ ]/);
            const isMark = new RegExp(`^ *${mark}${mark[0]}*[ \\t]*\\n?$`).test(source);
            // The list that contains the block may have ended, or the fence may be code.
            this.#isUncertain = spaces < indent || (isMark && spaces > indent);
            this.#fence = isMark || this.#isUncertain ? undefined : this.#fence;
        }
    }

    async #replacement({ kind, source, text = "", target = "" }: Token): Promise<string> {
        // A backtick in a label may begin code that ends after the link, and so hides the link's end.
        const shown = /^(?:[^`]|`[^`\n]+`)*$/.test(text) ? text : text.replaceAll("`", "");
        if (kind === "picture") {
            return shown;
        }
        if (kind === "link") {
            const resolved = await this.resolve(target);
            // The text of a link may also be an address.
            const label = await this.#withoutAddresses(shown, resolved !== undefined);
            return resolved === undefined ? label : `[${label}](${resolved})`;
        }
        if (kind === "tag") {
            return "&lt;";
        }
        if (kind === "word" || kind === "definition") {
            const inert = source.replace(linkInText, "] ").replace(entityInText, "&amp;");
            return (await this.#withoutAddresses(inert, false)) + (kind === "definition" ? " " : "");
        }
        return source.replace(linkInCode, "] ");
    }

    async #withoutAddresses(text: string, isLabel: boolean): Promise<string> {
        let output = "";
        let end = 0;
        for (const match of text.matchAll(
            /(?:[a-z][a-z0-9+.-]*:\/\/|(?<![\w:/])\/\/(?=[\w-]+\.)|www\.|(?:javascript|data|mailto|tel):)[^\s<>"'`)\]]+/gi,
        )) {
            const address = match[0].replace(/[.,;:!?*_]+$/, "");
            const resolved = isLabel ? undefined : await this.resolve(address);
            output += text.slice(end, match.index) + (resolved === undefined ? removed : `[${resolved}](${resolved})`);
            end = match.index + address.length;
        }
        return output + text.slice(end);
    }
}

interface Fence {
    readonly mark: string;
    readonly indent: number;
}

interface Token {
    readonly kind: "text" | "word" | "code" | "line" | "fence" | "link" | "picture" | "tag" | "definition";
    readonly source: string;
    readonly text?: string;
    readonly target?: string;
}

/** The next line of a code block; undefined if more of the line may follow. */
function lineOf(held: string, isEnd: boolean): Token | undefined {
    const end = held.indexOf("\n");
    return end < 0 && !isEnd ? undefined : { kind: "line", source: end < 0 ? held : held.slice(0, end + 1) };
}

/**
 * The first token of the text; undefined if more text may belong to it.
 *
 * @param place.indent the number of spaces before the token in its line; undefined if no code block can begin here
 */
function tokenOf(
    held: string,
    isEnd: boolean,
    { indent, hasOpenTick }: { indent: number | undefined; hasOpenTick: boolean },
): Token | undefined {
    const space = /^\s+/.exec(held);
    if (space) {
        return { kind: "text", source: space[0] };
    }
    // A line with four or more spaces is indented code, or continues a paragraph.
    if (indent !== undefined && indent < 4) {
        const fence = /^(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n/.exec(held);
        if (fence) {
            return { kind: "fence", source: fence[0] };
        }
        if (/^(?:`{1,2}$|~{1,2}$|`{3,}[^`\n]*$|~{3,}[^\n]*$)/.test(held) && !isEnd) {
            return undefined;
        }
    }
    if (held.startsWith("`")) {
        // Any line may end the paragraph, and with it the code in the paragraph.
        const code = hasOpenTick ? undefined : /^(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/.exec(held);
        // Another backtick may follow the last one.
        if (code && (isEnd || code[0].length < held.length)) {
            return { kind: "code", source: code[0] };
        }
        // If this run of backticks does not begin code, all of it is text: a part of the run does not begin code
        // either.
        const isOpen = isEnd || hasOpenTick || held.includes("\n");
        return isOpen && (isEnd || /[^`]/.test(held)) ? { kind: "text", source: /^`+/.exec(held)![0] } : undefined;
    }
    if (/^!?\[/.test(held)) {
        const link =
            /^(!?)\[((?:[^[\]]|\[[^[\]]*\](?:\([^()]*\))?)*)\]\(\s*<?([^()<>\s]*(?:\([^()]*\)[^()<>\s]*)*)>?[^()]*\)/.exec(
                held,
            );
        if (link) {
            const [source, mark, label = "", target = ""] = link;
            const text = label.replace(/!?\[([^\]]*)\](?:\([^)]*\))?/g, "$1");
            return { kind: mark === "" ? "link" : "picture", source, text, target };
        }
        // Text in brackets that is not a link.
        const isPlain = /^!?\[[^\]]*\][^([\]]/.test(held);
        return isPlain ? firstCharacter(held) : whenEnded(held, isEnd);
    }
    if (held.startsWith("<")) {
        return { kind: "tag", source: "<" };
    }
    const definition = /^((?:\\[\\`]|[^\s[<`!])*?\]):\s*(\S*)/.exec(held);
    if (definition) {
        const [whole, source = "", target = ""] = definition;
        if (whole.length === held.length && !isEnd) {
            return undefined;
        }
        // Addresses with a scheme are removed anyway, so they are not definitions here.
        const isTarget = /^[<\\]|^\/[/\\]|[&:]/.test(target) && !/^https?:\/\/[a-z\d]/i.test(target);
        return isTarget ? { kind: "definition", source } : { kind: "word", source };
    }
    const word = /^!?(?:\\[\\`]|[^\s[<`!])*/.exec(held)?.[0] ?? "";
    return word.length < held.length || isEnd
        ? { kind: "word", source: word === "" ? held.slice(0, 1) : word }
        : undefined;
}

function firstCharacter(held: string): Token {
    return { kind: "text", source: held.slice(0, 1) };
}

/** Treats an open bracket or backtick that never closes as text. */
function whenEnded(held: string, isEnd: boolean): Token | undefined {
    return isEnd ? firstCharacter(held) : undefined;
}

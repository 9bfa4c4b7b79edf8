/** The maximum length of a link in an answer, in characters; a longer one becomes text. */
const maxHeld = 2000;

const removed = "(link removed)";

/**
 * Matches a bracket in code before a target that may lead elsewhere, as in a link or a definition. A space after it
 * hardly changes the code, and prevents a link if a renderer does not treat the text as code.
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

/** Matches links that the parser does not find, such as one with nested brackets in its label. */
const linkInText = /\](?=\()/g;

/** Matches another spelling of a character in an address. */
const entityInText = /&(?=#|(?:colon|sol|period);)/gi;

/** @returns the target of a link in an answer, or undefined if the link is not allowed */
export type ResolveLink = (target: string) => Promise<string | undefined>;

/**
 * Passes on a streamed Markdown text in which only links to resolved targets remain. Other links become their text,
 * pictures their description, and code is not changed. The possible beginning of a link is held back until the link
 * ends.
 */
export class LinkFilter {
    #held = "";
    #isInFence = false;
    #isAtLineStart = true;
    /** Whether the output so far ends with a bracket, so that a following parenthesis would create a link. */
    #endsInBracket = false;

    /** @param resolve called for each link */
    constructor(private readonly resolve: ResolveLink) {}

    async push(text: string): Promise<string> {
        this.#held += text;
        return this.#take(false);
    }

    /** Returns the remaining text, after the stream has ended. */
    async flush(): Promise<string> {
        return this.#take(true);
    }

    async #take(isEnd: boolean): Promise<string> {
        let output = "";
        while (this.#held !== "") {
            const token = this.#isInFence
                ? lineOf(this.#held, isEnd)
                : tokenOf(this.#held, isEnd || this.#held.length > maxHeld, this.#isAtLineStart);
            if (token === undefined) {
                break;
            }
            if (token.kind === "fence" || (this.#isInFence && /^\s*(?:```|~~~)/.test(token.source))) {
                this.#isInFence = !this.#isInFence;
            }
            this.#held = this.#held.slice(token.source.length);
            const goesOn = this.#isAtLineStart && /^[ \t]+$/.test(token.source);
            this.#isAtLineStart = goesOn || /\n[ \t]*$/.test(token.source);
            const piece = await this.#replacement(token);
            output += this.#endsInBracket && piece.startsWith("(") ? ` ${piece}` : piece;
            this.#endsInBracket = piece === "" ? this.#endsInBracket : piece.endsWith("]");
        }
        return output;
    }

    async #replacement({ kind, source, text = "", target = "" }: Token): Promise<string> {
        if (kind === "picture") {
            return text;
        }
        if (kind === "link") {
            const resolved = await this.resolve(target);
            // The text of a link may also be an address.
            const label = await this.#withoutAddresses(text, resolved !== undefined);
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
            /(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:javascript|data|mailto|tel):)[^\s<>"'`)\]]+/gi,
        )) {
            const address = match[0].replace(/[.,;:!?*_]+$/, "");
            const resolved = isLabel ? undefined : await this.resolve(address);
            output += text.slice(end, match.index) + (resolved === undefined ? removed : `[${resolved}](${resolved})`);
            end = match.index + address.length;
        }
        return output + text.slice(end);
    }
}

interface Token {
    readonly kind: "text" | "word" | "code" | "fence" | "link" | "picture" | "tag" | "definition";
    readonly source: string;
    readonly text?: string;
    readonly target?: string;
}

/** Whether the line belongs to a block of code. */
function lineOf(held: string, isEnd: boolean): Token | undefined {
    const end = held.indexOf("\n");
    return end < 0 && !isEnd ? undefined : { kind: "code", source: end < 0 ? held : held.slice(0, end + 1) };
}

/** The first token of the text; undefined if more text may belong to it. */
function tokenOf(held: string, isEnd: boolean, isAtLineStart: boolean): Token | undefined {
    const space = /^\s+/.exec(held);
    if (space) {
        return { kind: "text", source: space[0] };
    }
    if (isAtLineStart || /^[`~]{1,2}$/.test(held)) {
        const fence = /^(?:```|~~~)[^\n]*\n/.exec(held);
        if (fence) {
            return { kind: "fence", source: fence[0] };
        }
        if (/^(?:`{1,2}$|~{1,2}$|```|~~~)/.test(held) && isAtLineStart) {
            return whenEnded(held, isEnd);
        }
    }
    if (held.startsWith("`")) {
        const code = /^(`+)(?!`)[^]*?[^`]\1(?!`)/.exec(held);
        // Another backtick may follow the last one.
        return code && (isEnd || code[0].length < held.length)
            ? { kind: "code", source: code[0] }
            : whenEnded(held, isEnd);
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
        // A text in brackets that is not a link.
        const isPlain = /^!?\[[^\]]*\][^([\]]/.test(held);
        return isPlain ? firstCharacter(held) : whenEnded(held, isEnd);
    }
    if (held.startsWith("<")) {
        return { kind: "tag", source: "<" };
    }
    const definition = /^([^\s[<`!]*?\]):\s*(\S*)/.exec(held);
    if (definition) {
        const [whole, source = "", target = ""] = definition;
        if (whole.length === held.length && !isEnd) {
            return undefined;
        }
        // Addresses with a scheme are removed anyway, so they are not definitions here.
        const isTarget = /^[<\\]|^\/[/\\]|[&:]/.test(target) && !/^https?:\/\/[a-z\d]/i.test(target);
        return isTarget ? { kind: "definition", source } : { kind: "word", source };
    }
    const word = /^!?[^\s[<`!]*/.exec(held)?.[0] ?? "";
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

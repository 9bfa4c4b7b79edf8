import { escapeExpression } from "../../text/strings.js";

interface Piece {
    readonly text: string;
    /** The name whose value the piece matches; `*` for a wildcard. */
    readonly name?: string;
    readonly expression?: string;
}

/** Servers accept addresses of about 8,000 characters. */
const maxLength = 16_000;
const [onePart, anyParts] = ["[^/]+", ".*"];

/**
 * The pattern of a redirect: `v1/:slug` and `v1/page-*` match one segment of a path, `v1/:slug*`, `v1/:slug+` and
 * `v1/*` all remaining segments.
 */
export class RedirectPattern {
    readonly #parts: readonly (readonly Piece[])[];
    readonly #length: number;

    static is(source: string): boolean {
        return /[:*]/.test(source);
    }

    /** @param source without slashes at its ends @param toText converts the text around the names */
    constructor(source: string, toText = (text: string) => text) {
        this.#length = source.length;
        this.#parts = source.split("/").map((part) => piecesOf(part, toText));
    }

    /** @param group returns the regular expression's group for the value at the index */
    toExpression(group: (expression: string, index: number) => string): string {
        let index = 0;
        const expressionOf = ({ text, expression }: Piece) =>
            expression === undefined ? escapeExpression(text) : group(expression, index++);
        return this.#parts.map((pieces) => pieces.map(expressionOf).join("")).join("/");
    }

    /** @returns the destination with each name replaced by its value */
    fill(destination: string, value: (index: number) => string): string {
        const names = this.#names;
        let wildcard = -1;
        return destination.replace(nameIn(names), (whole, name?: string) => {
            const index = name === undefined ? names.indexOf("*", wildcard + 1) : names.indexOf(name);
            wildcard = name === undefined && index !== -1 ? index : wildcard;
            return index === -1 ? whole : value(index);
        });
    }

    /** Why exports and servers cannot follow the pattern to the destination; undefined if they can. */
    problemWith(destination: string): string | undefined {
        const pieces = this.#parts.flat();
        if (this.#length + destination.length > maxLength) {
            return "it is longer than servers accept";
        }
        if (this.#parts.some((part) => part.filter(({ name }) => name !== undefined).length > 1)) {
            return "a segment of a path may contain only one name or *";
        }
        if (pieces.filter(({ expression }) => expression === anyParts).length > 1) {
            return "only one name may match several segments of a path";
        }
        const rest = this.fill(destination.replace(/^https?:\/\/[^/]*/i, ""), () => "");
        const [unknown] = /:[a-z_]\w*|\*/i.exec(rest) ?? [];
        return unknown === undefined ? undefined : `the destination names ${unknown}, which is not in the source`;
    }

    get #names(): string[] {
        return this.#parts.flat().flatMap(({ name }) => name ?? []);
    }
}

/** A name that is a whole part may have hyphens; within a part, a hyphen ends the name, as for `path-to-regexp`. */
function piecesOf(part: string, toText: (text: string) => string): Piece[] {
    const [, whole, modifier] = /^:([\w-]+)([*+]?)$/.exec(part) ?? [];
    if (part === "*" || whole !== undefined) {
        return [{ text: part, name: whole ?? "*", expression: modifier === "" ? onePart : anyParts }];
    }
    return (part.match(/:\w+|\*|[^:*]+|:/g) ?? [""]).map((text): Piece =>
        text.length > 1 && text.startsWith(":")
            ? { text, name: text.slice(1), expression: onePart }
            : text === "*"
              ? { text, name: "*", expression: onePart }
              : { text: toText(text) },
    );
}

/** Matches a wildcard, or one of the names with its modifier. A question mark before other text begins a query. */
function nameIn(names: readonly string[]): RegExp {
    const known = names.filter((name) => name !== "*").sort((one, other) => other.length - one.length);
    const nothing = String.raw`[^\s\S]`;
    return new RegExp(String.raw`:(${known.join("|") || nothing})(?!\w)(?:[*+]|\?(?=[/#]|$))?|\*`, "g");
}

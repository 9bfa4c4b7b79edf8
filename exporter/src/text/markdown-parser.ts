import * as native from "satteri";
import { type Features, type HastNode } from "satteri";

export interface ParseOptions {
    readonly features?: Features;
    /** @default true */
    readonly position?: boolean;
}

/** A parser of Markdown and MDX. Its errors begin with `LINE:COLUMN: `. */
export interface Parser {
    markdownToHast(source: string, options?: ParseOptions): HastNode;
    mdxToHast(source: string, options?: ParseOptions): HastNode;
}

let current: Parser = native;

/**
 * Parses with the reference implementation until the next call, or with the native parser if there is no argument. The
 * native parser is 20 times faster, but a page can end its process (dev/satteri/README.md).
 */
export function parseWith(parser: Parser = native): void {
    current = parser;
}

export function isNative(): boolean {
    return current === native;
}

export function markdownToHast(source: string, options?: ParseOptions): HastNode {
    return current.markdownToHast(source, options);
}

export function mdxToHast(source: string, options?: ParseOptions): HastNode {
    return current.mdxToHast(source, options);
}

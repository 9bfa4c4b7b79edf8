import { type HastNode } from "satteri";
import { childrenOf, isExpression, isJsx } from "../../text/syntax-tree.js";
import { lineAt } from "../../text/strings.js";
import { type Edit, type PageText, type Report } from "./page-text/page-text.js";

interface Dollars {
    /** The page, with a backslash before each dollar sign that begins no formula, and without the signs in code. */
    readonly page: PageText;
    /** Whether any dollar signs begin a formula. */
    readonly hasFormulas: boolean;
}

/** Matches two dollar signs that do not belong to a template literal such as `$${price}`. */
export const blockDollars = /\$\$(?!\{)/;

/** Elements that are part of a line of text. */
const inlineElements = new Set("em strong del sub sup a b i u s span mark kbd small".split(" "));

/**
 * Decides for each pair of dollar signs whether it is a formula, by the rules of Pandoc and GitHub: no space inside, and
 * no letter or digit directly outside. All other dollar signs mean money or a variable.
 * @param root the tree of the page, in which single dollar signs are text
 */
export function escapeDollars(page: PageText, root: HastNode, report: Report): Dollars {
    const { text: source } = page;
    const groups: number[][] = [[]];
    const ofScripts: number[] = [];
    collectDollars(root, source, groups, ofScripts);
    const refused: number[] = [];
    let doubts = 0;
    let hasFormulas = blockDollars.test(source);
    for (const group of groups) {
        for (let at = 0; at < group.length; at += 1) {
            const start = group[at] as number;
            const end = group[at + 1];
            const isFormula = end !== undefined && isPair(source, start, end);
            const doubt = end === undefined ? undefined : doubtOf(source.slice(start + 1, end), isFormula);
            if (doubt !== undefined && doubts < maxDoubts) {
                doubts += 1;
                report(lineAt(source, start), doubt);
            }
            if (isFormula) {
                hasFormulas = true;
                at += 1;
            } else {
                refused.push(start);
            }
        }
    }
    if (!hasFormulas) {
        return { page, hasFormulas };
    }
    // The native parser also pairs the dollar signs of two expressions, such as {`${1}`} and {`${2}`}.
    const replaced = new Map(source.includes(scriptDollar) ? [] : ofScripts.map((start) => [start, scriptDollar]));
    refused.forEach((start) => replaced.set(start, "\\$"));
    const edits = Array.from(replaced, ([start, text]): Edit => ({ start, end: start + 1, text }));
    return { page: page.edited(edits.sort((one, other) => one.start - other.start)), hasFormulas };
}

/** A rare letter in place of a dollar sign: names in JavaScript may contain it. */
export const scriptDollar = "\uA7F7";

/**
 * Collects the offsets of single dollar signs in text, in one group for each block.
 * @param ofScripts receives the offsets of all dollar signs in code, expressions and the tags of components
 */
function collectDollars(node: HastNode, source: string, groups: number[][], ofScripts: number[]): void {
    if (node.type === "text") {
        const { start, end } = node.position ?? {};
        if (start?.offset !== undefined && end?.offset !== undefined) {
            for (const { 0: sign, index } of source.slice(start.offset, end.offset).matchAll(/\\[^]|\$+/g)) {
                groups.at(-1)?.push(...(sign === "$" ? [start.offset + index] : []));
            }
        }
        return;
    }
    if (node.type === "element" && node.tagName === "code") {
        const isFormula = node.properties["className"] !== undefined;
        ofScripts.push(...(isFormula ? [] : dollarsIn(source, node.position?.start.offset, node.position?.end.offset)));
        return;
    }
    if (node.type === "element" && node.tagName === "pre") {
        return;
    }
    if (node.type === "element" && node.tagName === "a") {
        // The text of a link is a separate group, unless it is the link's address.
        if (source[node.position?.start.offset ?? 0] === "[") {
            const own: number[][] = [[]];
            childrenOf(node).forEach((child) => collectDollars(child, source, own, ofScripts));
            groups.splice(-1, 0, ...own);
        }
        return;
    }
    const isBlock = node.type === "element" ? !inlineElements.has(node.tagName) : node.type === "mdxJsxFlowElement";
    if (isBlock) {
        groups.push([]);
    }
    if (isJsx(node) || isExpression(node)) {
        const { start, end } = node.position ?? {};
        const inner = childrenOf(node)[0]?.position?.start.offset;
        ofScripts.push(...dollarsIn(source, start?.offset, inner ?? end?.offset));
    }
    childrenOf(node).forEach((child) => collectDollars(child, source, groups, ofScripts));
    if (isBlock) {
        groups.push([]);
    }
}

function dollarsIn(source: string, start = 0, end = start): number[] {
    return Array.from(source.slice(start, end).matchAll(/\$/g), ({ index }) => start + index);
}

function isPair(source: string, start: number, end: number): boolean {
    const isSpaced = /\s/.test(source[start + 1] ?? " ") || /\s/.test(source[end - 1] ?? " ");
    return !isSpaced && !/[A-Za-z\d]/.test(source[start - 1] ?? "") && !/\w/.test(source[end + 1] ?? "");
}

/** Matches text that only a formula contains. */
const formulaMark = /\\[A-Za-z]|\^/;
/** Matches an amount and words. */
const amount = /^\d[^\\^_=<>+]*\s[A-Za-z]{2,}/;
const maxShown = 40;
/** The maximum number of doubtful pairs that are reported for a page. */
const maxDoubts = 20;

function doubtOf(content: string, isFormula: boolean): string | undefined {
    const shown = content.length > maxShown ? `${content.slice(0, maxShown)}…` : content;
    if (isFormula ? !amount.test(content) : !formulaMark.test(content)) {
        return undefined;
    }
    return isFormula
        ? `the text between these dollar signs is shown as a formula (${shown}): write \\$ for a dollar sign`
        : `the text between these dollar signs is not shown as a formula (${shown}): a formula has no space after the ` +
              "first sign or before the last, and no letter or digit next to them";
}

import { type HastNode } from "satteri";
import { childrenOf, type HastElement, textOf } from "../../text/syntax-tree.js";

const fenceWithMeta = /^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:`{3,}|~{3,})[^\s`]+[ \t]+[^\s`]/m;

/** Whether a fence of a page may have more than a language, such as a title. */
export function hasFenceMetas(source: string): boolean {
    return fenceWithMeta.test(source);
}

/** Gives the fences of a tree with raw HTML what stands behind their languages, which only the `plain` tree has. */
export function restoreFenceMetas(root: HastNode, plain: HastNode): void {
    const codes = codesOf(root);
    let next = 0;
    for (const fence of codesOf(plain)) {
        const text = textOf(fence);
        const found = codes.findIndex((code, at) => at >= next && textOf(code) === text);
        if (found !== -1) {
            next = found + 1;
            Object.assign(codes[found] as HastElement, { data: fence.data });
        }
    }
}

function codesOf(node: HastNode): HastElement[] {
    return childrenOf(node).flatMap((child) =>
        node.type === "element" && node.tagName === "pre" && child.type === "element" && child.tagName === "code"
            ? [child]
            : codesOf(child),
    );
}

import { htmlTagNames } from "html-tag-names";
import { mathmlTagNames } from "mathml-tag-names";
import { svgTagNames } from "svg-tag-names";

/** HTML elements without content, which have no closing tag. */
export const voidElements: ReadonlySet<string> = new Set(
    "area base br col embed hr img input link meta source track wbr".split(" "),
);

const known = new Set([...htmlTagNames, ...svgTagNames, ...mathmlTagNames].map((name) => name.toLowerCase()));

/** Whether HTML, SVG or MathML contains an element of this name. */
export function isKnownElement(tagName: string): boolean {
    return known.has(tagName.toLowerCase());
}

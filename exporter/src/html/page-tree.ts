import { type HastNode } from "satteri";
import { type PagePart } from "./headings.js";

/** The input of a page. */
export interface PageTree {
    readonly file: string;
    readonly root: HastNode;
    /** As the front matter says it. */
    readonly title: string | undefined;
    readonly part: PagePart | undefined;
    /** Whether there is a place beside the text. */
    readonly hasBeside: boolean;
    /** The characters of the source. */
    readonly length: number;
}

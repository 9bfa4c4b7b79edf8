import { type HastNode } from "satteri";
import { type PagePart } from "./headings.js";

/** What a page is written from. */
export interface PageTree {
    readonly file: string;
    readonly root: HastNode;
    /** As the front matter says it. */
    readonly title: string | undefined;
    readonly part: PagePart | undefined;
    /** The characters of the source. */
    readonly length: number;
}

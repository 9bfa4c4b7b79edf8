export { markdownToHast, mdxToHast } from "satteri";

let refuses = false;

/** Whether pages are read as Markdown now, because one of them ended the process of the parser of MDX. */
export function refusesMdx(): boolean {
    return refuses;
}

/** Reads all pages as Markdown until the next call, or as what they are: a page can end the process (dev/satteri/README.md). */
export function refuseMdx(isRefused: boolean): void {
    refuses = isRefused;
}

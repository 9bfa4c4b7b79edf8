import { lineOfText } from "../text/strings.js";

const hides =
    /(?:^|;|\s)(?:visibility\s*:\s*(?:hidden|collapse)|display\s*:\s*none|opacity\s*:\s*0(?:\.0*)?\s*(?:[;!]|$))/i;

/** Matches each part of selectors that select only the page, or elements that contain all of its text. */
const wholePage =
    /^(?:(?:html|body|:root|main|article|#body-content|#content-area|#content)(?:[.#:[][^\s>+~]*)?|\*|)$/i;

/** Matches style sheet rules that hide a whole page, such as one that waits for a script. */
export function hidingRules(css: string): { readonly selector: string; readonly line: number | undefined }[] {
    const source = css.replace(/\/\*(?:[\s\S]*?\*\/|[\s\S]*$)/g, (comment) => comment.replace(/[^\n]/g, " "));
    // The braces are at odd places.
    const parts = source.split(/([{}])/);
    const found = parts.flatMap((declarations, at) => {
        const isRule = parts[at - 1] === "{" && parts[at + 1] === "}";
        if (!isRule || !hides.test(declarations)) {
            return [];
        }
        const before = parts[at - 2] ?? "";
        const selectors = before.slice(before.lastIndexOf(";") + 1).split(",");
        return selectors.map((each) => each.trim()).filter(isWholePage);
    });
    return found.map((selector) => ({ selector, line: lineOfText(css, selector) }));
}

function isWholePage(selector: string): boolean {
    return selector.split(/[\s>]+/).every((part) => wholePage.test(part)) && !/::|:(?:before|after)/.test(selector);
}

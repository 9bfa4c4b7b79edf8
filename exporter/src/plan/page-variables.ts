import { PageText } from "../read/markdown/page-text/page-text.js";
import { type Region } from "../read/markdown/page-text/regions.js";

/**
 * Replaces `{{name}}` by the value of the setting `variables`. Unknown names remain: in code, `{{name}}` belongs to
 * another template language. A backslash before it, outside of code, lets a page show the name.
 */
export function withVariables(text: string, variables: Readonly<Record<string, string>>, isMdx: boolean): string {
    if (!text.includes("{{")) {
        return text;
    }
    let code: readonly Region[] | undefined;
    let next = 0;
    // The places come in their order.
    const isCode = (at: number) => {
        code ??= new PageText(text, isMdx).code;
        while ((code[next]?.end ?? Infinity) <= at) {
            next += 1;
        }
        return (code[next]?.start ?? Infinity) <= at;
    };
    return text.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, name: string, at: number) => {
        if (!Object.hasOwn(variables, name)) {
            return whole;
        }
        // In MDX, each brace needs a backslash.
        return isEscaped(text, at) && !isCode(at) ? `{\\${whole.slice(1)}` : (variables[name] as string);
    });
}

/** Whether an odd number of backslashes precedes a place: two of them are a backslash that is shown. */
function isEscaped(text: string, at: number): boolean {
    let start = at;
    while (text[start - 1] === "\\") {
        start -= 1;
    }
    return (at - start) % 2 === 1;
}

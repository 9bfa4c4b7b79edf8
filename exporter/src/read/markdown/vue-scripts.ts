import { Fences } from "./fences.js";

const opening = /^<script\b[^<>]*\s(?:setup|lang=)[^<>]*>/;

/**
 * Leaves out the scripts of Vue components that pages of VitePress have, which no browser can run: their imports are no MDX. Their
 * lines stay, so that warnings name the right ones.
 */
export function withoutVueScripts(source: string): string {
    if (!source.includes("<script")) {
        return source;
    }
    const fences = new Fences();
    let isInside = false;
    const lines = source.split("\n").map((line) => {
        if (!isInside && (fences.holds(line) || !opening.test(line))) {
            return line;
        }
        isInside = !line.includes("</script>");
        return "";
    });
    return isInside ? source : lines.join("\n");
}

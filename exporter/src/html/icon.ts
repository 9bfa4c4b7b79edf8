import { beginningOf } from "@pulumi-static-export/contract";
import { escapeHtml } from "../text/html-text.js";
import { iconSvg, type IconLibrary } from "./icon-set.js";

/** An icon as HTML, from a name in a set or the address of a picture; undefined for a name that no set contains. */
export function iconHtml(
    icon: string,
    style: string | undefined,
    library: IconLibrary | undefined,
    link: (src: string) => string,
): string | undefined {
    const name = icon.trim();
    if (name === "") {
        return "";
    }
    if (/^\p{Extended_Pictographic}/u.test(name)) {
        return `<span class="icon" aria-hidden="true">${escapeHtml(name)}</span>`;
    }
    if (name.startsWith("<svg")) {
        // An SVG in an `<img>` cannot run scripts.
        const svg = /\sxmlns=/.test(name) ? name : name.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
        const source = `data:image/svg+xml,${encodeURIComponent(svg.replace(/\p{Surrogate}/gu, ""))}`;
        return `<img class="icon" src="${escapeHtml(source)}" alt="">`;
    }
    if (/[/.]/.test(name)) {
        return `<img class="icon" src="${escapeHtml(link(name))}" alt="" loading="lazy">`;
    }
    return iconSvg(name, library, style);
}

export function missingIcon(name: string): string {
    return `there is no icon "${beginningOf(name, 60)}" in the sets that the export includes (Font Awesome Free, Lucide, Tabler)`;
}

import { getOrMake } from "../../text/get-or-make.js";
import type { Emitter } from "highlight.js";
import { escapeHtml } from "../../text/html-text.js";

const openingTags = new Map<string, string>();

/**
 * Writes highlighted code as HTML while it is read. The library's own emitter builds a tree first, which takes a third
 * of the total time.
 */
export class HtmlEmitter implements Emitter {
    #html = "";
    readonly #open: string[] = [];

    addText(text: string): void {
        this.#html += escapeHtml(text);
    }

    startScope(name: string | undefined): void {
        this.#html += name ? openingTag(name) : "";
        this.#open.push(name ? "</span>" : "");
    }

    endScope(): void {
        this.#html += this.#open.pop() ?? "";
    }

    // The library calls these as well, although its types do not name them.
    openNode(scope: string): void {
        this.startScope(scope);
    }

    closeNode(): void {
        this.endScope();
    }

    /** Code in another language, such as a script in a page. */
    __addSublanguage(emitter: Emitter, name: string): void {
        this.startScope(name && `language:${name}`);
        emitter.finalize();
        this.#html += emitter.toHTML();
        this.endScope();
    }

    finalize(): void {
        while (this.#open.length > 0) {
            this.endScope();
        }
    }

    toHTML(): string {
        return this.#html;
    }
}

/** `title.class` becomes two classes, the second with an underscore, as in the library's style sheets. */
function openingTag(scope: string): string {
    return getOrMake(openingTags, scope, () => {
        const [first, ...rest] = scope.split(".");
        const classes = scope.startsWith("language:")
            ? [scope.replace(":", "-")]
            : [`hljs-${first}`, ...rest.map((part, at) => part + "_".repeat(at + 1))];
        return `<span class="${classes.join(" ")}">`;
    });
}

import { getOrMake } from "../../text/get-or-make.js";
import type { Emitter } from "highlight.js";
import { escapeHtml } from "../../text/html-text.js";

const openingTags = new Map<string, string>();

/**
 * Writes highlighted code as HTML directly. The library's own emitter first builds a tree, which takes a third of the
 * total time.
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

    // The library also calls these methods, although its types do not contain them.
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

/** `title.class` becomes two classes, with an underscore at the end of the second, as in the library's style sheets. */
function openingTag(scope: string): string {
    return getOrMake(openingTags, scope, () => {
        const [first, ...rest] = scope.split(".");
        const classes = scope.startsWith("language:")
            ? [scope.replace(":", "-")]
            : [`hljs-${first}`, ...rest.map((part, at) => part + "_".repeat(at + 1))];
        return `<span class="${classes.join(" ")}">`;
    });
}

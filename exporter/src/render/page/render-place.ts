import { type HastNode } from "satteri";
import { type WarningKind } from "../../problems/warnings.js";
import { type RenderHost } from "./render-host.js";
import { Content, reasonOfUnsupported, type Scope } from "../../text/script-value.js";

/** Where the renderer of a page is: in which file and line, and which names are seen from there. */
export class RenderPlace {
    line: number | undefined;
    #importedDepth = 0;

    constructor(
        public file: string,
        public scope: Scope,
        private readonly host: RenderHost,
    ) {}

    /** Whether the content comes from a snippet, which a page can hold several times. */
    get isImported(): boolean {
        return this.#importedDepth > 0;
    }

    /** Nodes at this place. */
    contentOf(nodes: readonly HastNode[]): Content {
        return new Content(nodes, this.scope, this.file);
    }

    link(href: string): string {
        return this.host.link(href, { file: this.file, line: this.line });
    }

    /** @param near what the warning's cause begins with, where its line is not known */
    warn(kind: WarningKind, reason: string, near?: string): void {
        this.host.warn(kind, { file: this.file, line: near === undefined ? this.line : undefined }, reason, near);
    }

    /** Renders what is in another file, or sees other names. */
    within({ scope, file }: Content, isImported: boolean, render: () => string): string {
        const before = [this.scope, this.file, this.line] as const;
        this.scope = scope;
        this.file = file;
        this.#importedDepth += isImported ? 1 : 0;
        try {
            return render();
        } finally {
            [this.scope, this.file, this.line] = before;
            this.#importedDepth -= isImported ? 1 : 0;
        }
    }

    /** What cannot be worked out is left out, and reported; the content that it has is shown `instead`. */
    attempt(render: () => string, what: string, instead?: () => string): string {
        const { line } = this;
        try {
            return render();
        } catch (error) {
            const reason = reasonOfUnsupported(error);
            this.line = line;
            const shown = instead === undefined ? "" : ", and its content shown";
            this.warn("expression", `${what} is left out${shown}: ${reason}`);
            return instead?.() ?? "";
        }
    }
}

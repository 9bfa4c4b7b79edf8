import { type HastNode } from "satteri";
import { type WarningKind } from "../../problems/warning-log.js";
import { type RenderContext } from "./render-context.js";
import { Content, reasonOfUnsupported, type Scope } from "../../text/script-value.js";

/** The renderer's current place in a page: the file, the line, and the visible names. */
export class RenderPlace {
    line: number | undefined;
    #importedDepth = 0;

    constructor(
        public file: string,
        public scope: Scope,
        private readonly context: RenderContext,
    ) {}

    /** Whether the content comes from a snippet, which a page may contain several times. */
    get isImported(): boolean {
        return this.#importedDepth > 0;
    }

    /** Returns nodes as content of this place. */
    contentOf(nodes: readonly HastNode[]): Content {
        return new Content(nodes, this.scope, this.file);
    }

    link(href: string): string {
        return this.context.link(href, { file: this.file, line: this.line });
    }

    /** @param near - the beginning of the text that causes the warning, for finding its line if the line is unknown */
    warn(kind: WarningKind, reason: string, near?: string): void {
        this.context.warn(kind, { file: this.file, line: near === undefined ? this.line : undefined }, reason, near);
    }

    /** Renders the content of another file, or content that sees other names. */
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

    /** Reports and omits content that cannot be evaluated; shows `instead` in its place. */
    orReport(render: () => string, what: string, instead?: () => string): string {
        const { line } = this;
        try {
            return render();
        } catch (error) {
            const reason = reasonOfUnsupported(error);
            this.line = line;
            const shown = instead === undefined ? "" : ", and its content is shown";
            this.warn("expression", `${what} is left out${shown}: ${reason}`);
            return instead?.() ?? "";
        }
    }
}

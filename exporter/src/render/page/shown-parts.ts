import { type HastNode } from "satteri";
import { type PageSides } from "../../html/page-sides.js";

/** The HTML of a page's components and expressions, without those that people and agents see differently. */
export class ShownParts {
    readonly #htmlOf = new Map<HastNode, string>();
    #readers = "humans";
    /** The number of parts that are for only some readers. */
    #partialCount = 0;

    constructor(private readonly sides: PageSides) {}

    isFor(readers: string | undefined): boolean {
        this.#partialCount += 1;
        return readers === this.#readers || !["humans", "agents"].includes(readers ?? "");
    }

    /** Renders a component or an expression. */
    render(node: HastNode, render: () => string): string {
        if (this.#htmlOf.has(node)) {
            return render();
        }
        const { movedCount } = this.sides;
        const partialCount = this.#partialCount;
        const html = render();
        if (partialCount === this.#partialCount || this.#readers === "agents") {
            this.#htmlOf.set(node, html + this.sides.movedAfter(movedCount));
        }
        return html;
    }

    /** The HTML as agents see it, after the page is rendered. */
    forAgents(node: HastNode, render: () => string): string | undefined {
        this.#readers = "agents";
        if (!this.#htmlOf.has(node)) {
            this.render(node, render);
        }
        return this.#htmlOf.get(node);
    }
}

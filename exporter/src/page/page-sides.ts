import { type ComponentSides } from "../components/kinds/component.js";
import { type BesideText } from "./render-host.js";

/** Knows which part of a page is being rendered, and collects what stands beside the text. */
export class PageSides implements ComponentSides {
    readonly #beside: string[] = [];
    #foldedDepth = 0;
    #wholeDepth = 0;

    /** @param hasBeside whether there is a place beside the text */
    constructor(private readonly hasBeside: boolean) {}

    get isFolded(): boolean {
        return this.#foldedDepth > 0;
    }

    folded<T>(render: () => T): T {
        this.#foldedDepth += 1;
        try {
            return this.whole(render);
        } finally {
            this.#foldedDepth -= 1;
        }
    }

    whole<T>(render: () => T): T {
        this.#wholeDepth += 1;
        try {
            return render();
        } finally {
            this.#wholeDepth -= 1;
        }
    }

    beside(html: string): string {
        if (!this.hasBeside || this.#wholeDepth > 0) {
            return html;
        }
        this.#beside.push(html);
        return "";
    }

    /** @param bodyHtml what a narrow window shows below it, but for a title */
    besideOf(bodyHtml: string): BesideText | undefined {
        const title = /^<h1[\s>].*?<\/h1>/s.exec(bodyHtml)?.[0] ?? "";
        return this.#beside.length === 0 ? undefined : { html: this.#beside.join(""), at: title.length };
    }
}

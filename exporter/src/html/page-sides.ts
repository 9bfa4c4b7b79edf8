/** Examples and notes that are next to the text where the window has room for them. */
export interface BesideText {
    readonly html: string;
    /** Where they stand in narrower windows: so many characters of the body's HTML come before them. */
    readonly at: number;
}

/** Knows which part of a page is being rendered, and collects what is next to the text. */
export class PageSides {
    readonly #beside: string[] = [];
    #foldedDepth = 0;
    #wholeDepth = 0;

    /** @param hasBeside whether there is a place beside the text */
    constructor(private readonly hasBeside: boolean) {}

    get isFolded(): boolean {
        return this.#foldedDepth > 0;
    }

    /** Runs `render` for something that readers see only after a click, so that the contents list leaves it out. */
    folded<T>(render: () => T): T {
        this.#foldedDepth += 1;
        try {
            return this.whole(render);
        } finally {
            this.#foldedDepth -= 1;
        }
    }

    /** Runs `render` for something that keeps all its content, also what is next to the text elsewhere. */
    whole<T>(render: () => T): T {
        this.#wholeDepth += 1;
        try {
            return render();
        } finally {
            this.#wholeDepth -= 1;
        }
    }

    /** Puts HTML beside the page's text; returns it where it has to stay in its place. */
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

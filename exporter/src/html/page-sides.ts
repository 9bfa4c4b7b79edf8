/** Examples and notes that are shown next to the text if the window is wide enough. */
export interface BesideText {
    readonly html: string;
    /** The position of the examples and notes in narrower windows, as a number of characters in the body's HTML. */
    readonly at: number;
}

/** Tracks which part of a page is being rendered, and collects the content next to the text. */
export class PageSides {
    readonly #beside: string[] = [];
    #foldedDepth = 0;
    #wholeDepth = 0;

    /** @param hasBeside whether the page has room next to the text */
    constructor(private readonly hasBeside: boolean) {}

    get isFolded(): boolean {
        return this.#foldedDepth > 0;
    }

    /** Runs `render` for content that is visible only after a click, so the table of contents omits this content. */
    folded<T>(render: () => T): T {
        this.#foldedDepth += 1;
        try {
            return this.whole(render);
        } finally {
            this.#foldedDepth -= 1;
        }
    }

    /**
     * Runs `render` for an element whose content stays in place, even the parts that would otherwise move next to the
     * text.
     */
    whole<T>(render: () => T): T {
        this.#wholeDepth += 1;
        try {
            return render();
        } finally {
            this.#wholeDepth -= 1;
        }
    }

    /** Moves HTML next to the page's text; returns HTML that has to stay in place. */
    beside(html: string): string {
        if (!this.hasBeside || this.#wholeDepth > 0) {
            return html;
        }
        this.#beside.push(html);
        return "";
    }

    /** The number of parts that moved so far. */
    get movedCount(): number {
        return this.#beside.length;
    }

    /** The HTML of the parts that moved after the first `count` parts. */
    movedAfter(count: number): string {
        return this.#beside.slice(count).join("");
    }

    /**
     * @param bodyHtml the body without the content next to the text; that content follows the title in a narrow window
     */
    besideOf(bodyHtml: string): BesideText | undefined {
        const title = /^<h1[\s>].*?<\/h1>/s.exec(bodyHtml)?.[0] ?? "";
        return this.#beside.length === 0 ? undefined : { html: this.#beside.join(""), at: title.length };
    }
}

/** A part of a page that search results link to: the text above the first heading, then one part per heading. */
export interface SearchSection {
    /** The heading's id; empty for the part above the first heading. */
    readonly id: string;
    readonly heading: string;
    readonly text: string;
}

/** Collects a page's text while it is rendered, split at its headings. */
export class SearchText {
    private readonly parts: { id: string; heading: string; text: string }[] = [{ id: "", heading: "", text: "" }];
    /** Remembered, because a look at the end of a text that grows copies the whole text each time. */
    #isWithinWord = false;

    open(id: string, heading: string): void {
        this.parts.push({ id, heading, text: "" });
        this.#isWithinWord = false;
    }

    add(text: string): void {
        if (text !== "") {
            (this.parts[this.parts.length - 1] as { text: string }).text += text;
            this.#isWithinWord = !text.endsWith(" ");
        }
    }

    /** Ends the current word. Words of one line of HTML can be on different lines of the page. */
    separate(): void {
        if (this.#isWithinWord) {
            this.add(" ");
        }
    }

    sections(): SearchSection[] {
        return this.parts.map(({ id, heading, text }) => ({ id, heading, text: textWithoutHeading(text, heading) }));
    }
}

function textWithoutHeading(text: string, heading: string): string {
    // Most gaps are single spaces, which need no change.
    const plain = text.replace(/\s\s+|[^\S ]/g, " ").trim();
    return plain.startsWith(heading) ? plain.slice(heading.length).trim() : plain;
}

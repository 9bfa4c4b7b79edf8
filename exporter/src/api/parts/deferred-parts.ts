/**
 * Parts of a page that are written breadth first, so that content near the top is included before deep content below
 * it. Each part leaves a placeholder, which {@link complete} replaces.
 */
export class DeferredParts {
    readonly #waiting: (() => string)[] = [];
    readonly #written = new Map<string, string>();

    /** @returns the placeholder */
    add(write: () => string): string {
        return `<!--part ${this.#waiting.push(write) - 1}-->`;
    }

    /**
     * Writes the parts in the order in which they were added, including parts that other parts add, and replaces all
     * placeholders.
     */
    complete(html: string): string {
        for (let next = this.#written.size; next < this.#waiting.length; next += 1) {
            this.#written.set(String(next), this.#waiting[next]?.() ?? "");
            this.#waiting[next] = nothing;
        }
        return this.#fill(html);
    }

    /** Fills each placeholder only once, so text in the document that looks like a placeholder cannot repeat a part. */
    #fill(html: string): string {
        return html.replace(/<!--part (\d+)-->/g, (_, id: string) => {
            const part = this.#written.get(id) ?? "";
            this.#written.set(id, "");
            return this.#fill(part);
        });
    }
}

const nothing = () => "";

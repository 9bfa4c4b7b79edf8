import { slug as githubSlug } from "github-slugger";

/** Ids outside of the article, which the script and the style sheet use. */
const ownIds = ["content", "sidebar", "toc-title", "search-hits"].map((id) => `static-export-${id}`);

/** Matches words that have the same id under all rules. */
const plainText = /^[a-z][a-z\d]*(?: [a-z\d]+)*$/;

/** Gives the parts of a page unique ids. */
export class HeadingIds {
    readonly #taken = new Set<string>(ownIds);
    readonly #counts = new Map<string, number>();
    readonly #aliasCounts = new Map<string, number>();

    /** Returns `wanted` as an id, with `-2`, `-3` and so on appended if the id is taken. */
    claim(wanted: string): string {
        const base = HeadingIds.slugOf(wanted) || "section";
        let count = this.#counts.get(base) ?? 1;
        let id = count === 1 ? base : `${base}-${count}`;
        while (this.#taken.has(id)) {
            count += 1;
            id = `${base}-${count}`;
        }
        this.#counts.set(base, count);
        this.#taken.add(id);
        return id;
    }

    /** Returns an id that an author wrote, unchanged if the id is still free. */
    claimExact(id: string): string {
        if (this.#taken.has(id)) {
            return this.claim(id);
        }
        this.#taken.add(id);
        return id;
    }

    /**
     * Returns the ids that other platforms give the heading, except ids that are taken: GitHub's; ids with a hyphen for
     * each character that is not a letter (with or without accents); ids with punctuation; ids without ASCII
     * punctuation (`in-—-clients-→-task`); ids with characters that addresses must encode (`what-now?`), also with
     * typographic quotes (`a-“bag”-of-cells`); Python-Markdown's (`vuejs-start` for `vue.js – start`); VitePress's for
     * a heading that begins with a digit (`_1-install`); GitBook's, with full stops (`id-1.-install`) and
     * with `and` for an ampersand (`ddd-and-cqrs`).
     */
    aliases(text: string, id: string, reserved: () => ReadonlySet<string>): string[] {
        const lower = text.trim().toLowerCase();
        const bases = plainText.test(lower)
            ? [lower.replaceAll(" ", "-")]
            : new Set([
                  githubSlug(text),
                  hyphenated(lower),
                  hyphenated(withoutAccents(lower)),
                  lower.replace(/\s+/g, "-"),
                  withoutAsciiPunctuation(lower),
                  withoutMarks(lower),
                  withoutMarks(typographic(lower)),
                  singleHyphens(githubSlug(withoutAccents(text))),
                  gitBookId(lower),
                  ...(/^\d/.test(lower) ? [`_${hyphenated(withoutAccents(lower))}`] : []),
              ]);
        const isRepeated = id !== HeadingIds.slugOf(text);
        return [...bases].flatMap((base) => {
            const count = this.#aliasCounts.get(base) ?? 0;
            this.#aliasCounts.set(base, count + 1);
            const counted = count === 0 ? [base] : [`${base}-${count}`];
            // The id of the second of two equal headings ends in `-1` on GitHub, and in `-2` on documentation
            // platforms.
            return [...counted, ...(count > 0 && isRepeated ? [`${base}-${count + 1}`] : [])].filter((alias) => {
                if (alias === id || alias === "" || this.#taken.has(alias) || reserved().has(alias)) {
                    return false;
                }
                this.#taken.add(alias);
                return true;
            });
        });
    }

    /** Whether all rules give the text the same id. */
    static isPlain(text: string): boolean {
        return plainText.test(text.trim().toLowerCase());
    }

    /**
     * Builds an id by the rule of documentation platforms: lower case, hyphens for spaces and full stops, typographic
     * apostrophes. Slashes and ampersands remain; all other punctuation is removed.
     */
    static slugOf(text: string): string {
        const lower = text.trim().toLowerCase();
        if (plainText.test(lower)) {
            return lower.replaceAll(" ", "-");
        }
        return singleHyphens(
            lower
                .replaceAll("'", "’")
                .replace(/[\s.]+/g, "-")
                // Most emoji end in an invisible mark, which would remain without them.
                .replace(/[\uFE00-\uFE0F\u20E3]|[^\p{L}\p{M}\p{N}\p{Pc}\-’/&]/gu, ""),
        );
    }
}

function gitBookId(text: string): string {
    const id = singleHyphens(
        withoutAccents(text)
            .replaceAll("&", " and ")
            .trim()
            .replace(/\s+/g, "-")
            .replace(/[^\p{L}\p{M}\p{N}\-._]/gu, ""),
    );
    return /^\d/.test(id) ? `id-${id}` : id;
}

function withoutAccents(text: string): string {
    return text
        .normalize("NFD")
        .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
        .normalize("NFC");
}

function withoutAsciiPunctuation(text: string): string {
    return singleHyphens(text.replace(/[\s.]+/g, "-").replace(/[!-,/:-@[-^`{-~]/g, ""));
}

function withoutMarks(text: string): string {
    return singleHyphens(
        text
            .replaceAll("'", "’")
            .replace(/[\s._]+/g, "-")
            .replace(/[!~*()`"]/g, ""),
    );
}

/**
 * Text as platforms print it: with curly quotes, an ellipsis for three full stops, and dashes for consecutive hyphens.
 */
function typographic(text: string): string {
    return text
        .replace(/"([^"]*)"/g, "“$1”")
        .replaceAll("...", "…")
        .replaceAll("---", "—")
        .replaceAll("--", "—");
}

/** Removing characters from a heading can leave consecutive hyphens, and hyphens at the ends. */
function singleHyphens(id: string): string {
    return id.replace(/-{2,}/g, "-").replace(/^-|-$/g, "");
}

function hyphenated(text: string): string {
    return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}

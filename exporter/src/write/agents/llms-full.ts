import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { canonicalUrl, siteUrl } from "../../read/files/routes.js";
import { type SiteOutput } from "../output/site-output.js";
import { agentInstructions, markdownCopy } from "./page-markdown.js";

/** The maximum size for programs, which read no larger file at once. */
const maxPartBytes = 2_000_000;

interface Part {
    readonly file: string;
    readonly first: string;
    readonly last: string;
}

/**
 * Writes the Markdown of all pages into one file, or into several with a list of them in the first. Only one part is in
 * memory at a time.
 */
export class LlmsFull {
    #texts: string[] = [];
    #bytes = 0;
    #titles: string[] = [];
    readonly #parts: Part[] = [];
    readonly #routes: ReadonlySet<string>;

    /** @param pages the pages that programs may list */
    constructor(
        private readonly plan: SitePlan,
        pages: readonly SitePage[],
        private readonly siteName: string,
        private readonly output: SiteOutput,
    ) {
        this.#routes = new Set(pages.map(({ route }) => route));
    }

    /** Adds a page with its body for programs, if they may list it; call it in reading order. */
    async add(page: SitePage, body: string): Promise<void> {
        if (!this.#routes.has(page.route)) {
            return;
        }
        const text = markdownCopy(page, body, { after: `Source: ${canonicalUrl(this.plan.targets, page.route)}` });
        const bytes = Buffer.byteLength(text) + 1;
        if (this.#texts.length > 0 && this.#bytes + bytes > maxPartBytes) {
            await this.#writePart();
        }
        this.#texts.push(text);
        this.#titles.push(page.title);
        this.#bytes += bytes;
    }

    /** @returns the text of the first file */
    async finish(): Promise<string> {
        const { settings, targets } = this.plan;
        const head = [`# ${this.siteName}\n`, agentInstructions(settings)].filter((part) => part !== "");
        if (this.#parts.length === 0) {
            return [...head, ...this.#texts].join("\n");
        }
        await this.#writePart();
        const links = this.#parts.map(({ file, first, last }) => `- [${first} – ${last}](${siteUrl(targets, file)})\n`);
        return [...head, `The pages of this site are in ${links.length} files:\n`, links.join("")].join("\n");
    }

    async #writePart(): Promise<void> {
        const [first = "", last = ""] = [this.#titles[0], this.#titles.at(-1)];
        const file = `llms-full-${this.#parts.length + 1}.txt`;
        await this.output.write(file, this.#texts.join("\n"));
        this.#parts.push({ file, first: withoutBrackets(first), last: withoutBrackets(last) });
        [this.#texts, this.#titles, this.#bytes] = [[], [], 0];
    }
}

function withoutBrackets(title: string): string {
    return title.replace(/[[\]]/g, "").replace(/\s+/g, " ");
}

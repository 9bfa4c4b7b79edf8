import { createHash } from "node:crypto";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { canonicalUrl } from "../files/routes.js";
import { agentInstructions, markdownCopy } from "./markdown-copies.js";
import { type PartFacts } from "../output/part-facts.js";
import { type SiteOutput } from "../output/site-output.js";

export interface LlmsFullOptions {
    readonly plan: SitePlan;
    /** The pages that programs are told of. */
    readonly pages: readonly SitePage[];
    readonly output: SiteOutput;
    readonly siteName: string;
    readonly fingerprint: string;
    readonly yieldToEventLoop: () => Promise<void>;
}

const file = "llms-full.txt";

/** Larger sites have none: a language model could not read it at once, and it would be rewritten after every change. */
const maxBytes = 2_000_000;

const nothingFound: PartFacts = {
    warnings: [],
    linkedAssets: [],
    imports: [],
    anchors: { ids: [], links: [] },
    hasDiagram: false,
    classes: [],
    search: [],
};

/** Writes the Markdown of all pages of a small site into one file. While no page changes, it is taken over as it is. */
export async function writeLlmsFull(options: LlmsFullOptions): Promise<void> {
    const { plan, pages, output, siteName, fingerprint, yieldToEventLoop } = options;
    const { settings, targets, content } = plan;
    const copyOf = (page: SitePage) => markdownCopy(page, { after: `Source: ${canonicalUrl(targets, page.route)}` });
    // A page of an operation holds the document's few words on it, not the document.
    const bytesOf = (page: SitePage) => (page.hasSource ? content.bytesOf(page.file) : Buffer.byteLength(copyOf(page)));
    let room = maxBytes;
    if (targets.assets.has(file) || !pages.every((page) => (room -= bytesOf(page)) >= 0)) {
        return;
    }
    const hash = createHash("sha256").update(
        JSON.stringify([file, fingerprint, siteName, settings, targets.domain, targets.basePath]),
    );
    pages.forEach(({ route, cacheKey }) => hash.update(`\0${route}\0${cacheKey}`));
    const key = hash.digest("base64url");
    const { parts } = output;
    if ((await parts?.reuse(key, () => true)) !== undefined) {
        return;
    }
    await parts?.begin();
    const text = [`# ${siteName}\n`, agentInstructions(settings)];
    for (const page of pages) {
        text.push(copyOf(page));
        await yieldToEventLoop();
    }
    await output.write(file, text.filter((part) => part !== "").join("\n"));
    await parts?.end(key, nothingFound);
}

import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { canonicalUrl } from "../../read/files/routes.js";
import { agentInstructions, markdownCopy } from "./markdown-copies.js";
import { type SiteOutput } from "../output/site-output.js";

export interface LlmsFullOptions {
    readonly plan: SitePlan;
    /** The pages that programs may list. */
    readonly pages: readonly SitePage[];
    readonly output: SiteOutput;
    readonly siteName: string;
    readonly yieldToEventLoop: () => Promise<void>;
}

const file = "llms-full.txt";

/** Larger sites have none: a language model could not read it at once. */
const maxBytes = 2_000_000;

/** Writes the Markdown of all pages of a small site into one file. */
export async function writeLlmsFull(options: LlmsFullOptions): Promise<void> {
    const { plan, pages, output, siteName, yieldToEventLoop } = options;
    const { settings, targets, content } = plan;
    const copyOf = (page: SitePage) => markdownCopy(page, { after: `Source: ${canonicalUrl(targets, page.route)}` });
    // A page of an operation holds the document's few words on it, not the document.
    const bytesOf = (page: SitePage) => (page.hasSource ? content.bytesOf(page.file) : Buffer.byteLength(copyOf(page)));
    let room = maxBytes;
    if (targets.assets.has(file) || !pages.every((page) => (room -= bytesOf(page)) >= 0)) {
        return;
    }
    const text = [`# ${siteName}\n`, agentInstructions(settings)];
    for (const page of pages) {
        text.push(copyOf(page));
        await yieldToEventLoop();
    }
    await output.write(file, text.filter((part) => part !== "").join("\n"));
}

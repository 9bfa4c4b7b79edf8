import { createHash } from "node:crypto";
import { type SitePlan } from "../plan/site-plan.js";
import { canonicalUrl } from "../read/routes.js";
import { agentInstructions, indexedPages, markdownCopy } from "./markdown-copies.js";
import { type PartFacts } from "./part-facts.js";
import { type SiteOutput } from "./site-output.js";

export interface LlmsFullOptions {
    readonly plan: SitePlan;
    readonly output: SiteOutput;
    readonly siteName: string;
    readonly fingerprint: string;
    readonly breathe: () => Promise<void>;
}

const file = "llms-full.txt";

/** More than a language model reads at once; of the pages beyond it the file only names the addresses. */
const mostCharacters = 10_000_000;

const nothingFound: PartFacts = { warnings: [], linkedAssets: [], imports: [], hasDiagram: false, search: [] };

/** Writes the Markdown of all pages into one file. While no page changes, it is taken over without reading one. */
export async function writeLlmsFull({ plan, output, siteName, fingerprint, breathe }: LlmsFullOptions): Promise<void> {
    const { settings, targets } = plan;
    const pages = indexedPages(plan);
    if (targets.assets.has(file)) {
        return;
    }
    const hash = createHash("sha256").update(JSON.stringify([file, fingerprint, siteName, settings, targets.domain]));
    pages.forEach(({ route, cacheKey }) => hash.update(`\0${route}\0${cacheKey}`));
    const key = hash.digest("base64url");
    const { parts } = output;
    if ((await parts?.reuse(key, () => true)) !== undefined) {
        return;
    }
    await parts?.begin();
    const text = [`# ${siteName}\n`, agentInstructions(settings)];
    let length = 0;
    let isFull = false;
    for (const page of pages) {
        const address = canonicalUrl(targets.domain, page.route);
        const copy: string = isFull ? "" : markdownCopy(page, { after: `Source: ${address}` });
        isFull ||= length + copy.length > mostCharacters;
        const added = isFull ? `- [${page.title}](${address})\n` : copy;
        length += added.length;
        text.push(added);
        await breathe();
    }
    await output.write(file, text.filter((part) => part !== "").join("\n"));
    await parts?.end(key, nothingFound);
}

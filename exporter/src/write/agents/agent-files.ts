import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { type SiteOutput, writeAll } from "../output/site-output.js";
import { pageListFiles, sectionsForAgents } from "./listed-pages.js";
import { LlmsFull, type PageTexts, type WritePart } from "./llms-full.js";
import { writeLlmsText } from "./llms-text.js";
import { writeSkills } from "./skills.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { hasDomain, mcpUrl } from "../../read/files/routes.js";
import { type WrittenFile } from "../search/site-search.js";

const listFile = "llms.txt";
const fullFile = "llms-full.txt";

interface AgentFilesOptions {
    readonly plan: SitePlan;
    /** The pages that programs may list. */
    readonly indexed: readonly SitePage[];
    readonly siteName: string;
    readonly output: SiteOutput;
    /** Writes the parts of `llms-full.txt`. */
    readonly writePart: WritePart;
    /** The output at the root of the domain, if the site is in a folder below the root. */
    readonly root: SiteOutput | undefined;
    readonly warn: (warning: SiteWarning) => void;
}

/** The files for programs, from pages that everybody may read. The site's own files take precedence. */
export class AgentFiles {
    readonly #sections;
    readonly #full: LlmsFull | undefined;

    constructor(private readonly options: AgentFilesOptions) {
        const { plan, indexed, siteName, writePart } = options;
        this.#sections = sectionsForAgents(plan, indexed);
        const pages = this.#sections.flatMap((section) => section.pages);
        this.#full = plan.targets.assets.has(fullFile) ? undefined : new LlmsFull(plan, pages, siteName, writePart);
    }

    /** Returns the text of a page, which contains the page's body for programs; pass it to `add`. */
    textOf(page: SitePage, body: string): string {
        return this.#full?.textOf(page, body) ?? "";
    }

    /** Adds the text of pages; call this in reading order. @param imports the names and digests of imported files */
    async add(pages: readonly SitePage[], { bytes, read }: PageTexts, imports: readonly string[]): Promise<void> {
        let texts: readonly string[] | undefined;
        for (const [at, { route, title, cacheKey }] of pages.entries()) {
            const text = () => (texts ??= read())[at] ?? "";
            const length = bytes[at] ?? 0;
            if (length > 0) {
                await this.#full?.add({ route, title, names: [cacheKey, ...imports], text }, length);
            }
        }
    }

    /** @param published the files of the site that everybody may read */
    async finish(published: ReadonlySet<string>): Promise<void> {
        const { plan, siteName, indexed, output, root, warn } = this.options;
        const { content } = plan;
        const sections = this.#sections;
        const own = (file: string) => (published.has(file) ? content.readText(file) : undefined);
        const list = own(listFile) ?? writeLlmsText({ plan, siteName, sections, published });
        const full = own(fullFile) ?? (await this.#full?.finish());
        const texts = [[listFile, list] as const, ...(full === undefined ? [] : [[fullFile, full] as const])];
        await writeAll(
            output,
            texts.filter(([file]) => !published.has(file)),
        );
        const outputs = root === undefined ? [output] : [output, root];
        const wellKnown = texts.map(([file, text]) => [`.well-known/${file}`, text] as const);
        for (const target of outputs) {
            await writeAll(target, wellKnown);
            await writeAll(target, mcpDiscoveryFiles(plan, siteName));
        }
        await writeSkills(plan, outputs, warn);
        await writeAll(output, pageListFiles(indexed));
    }
}

/** The files by which programs find the site's MCP server; no files without a server, or without its host name. */
function* mcpDiscoveryFiles({ features, targets }: SitePlan, siteName: string): Generator<WrittenFile> {
    if (!features.mcp || !hasDomain(targets)) {
        return;
    }
    const url = mcpUrl(targets);
    const server = { url, transport: "http", authentication: "none" };
    const discovery = { version: "1.0.0", transport: "http", url, servers: [{ name: "public", ...server }] };
    const card = {
        name: siteName,
        version: "1.0.0",
        description: `Search and read ${siteName}`,
        ...server,
        capabilities: { tools: true, resources: true },
    };
    for (const [file, content] of [
        ["mcp.json", discovery],
        ["mcp/server-card.json", card],
        ["mcp/server-cards.json", { servers: [card] }],
    ] as const) {
        yield [`.well-known/${file}`, `${JSON.stringify(content, undefined, 2)}\n`];
    }
}

import { ClosedSiteError } from "./closed-site-error.js";
import { type ListedPage } from "./page-list.js";
import { type Reader } from "./readers-rules.js";
import { type SearchRequest, type SiteHit } from "./search-site.js";
import { type SiteFiles } from "./site-files.js";
import { type SitePage, type SiteSkill, SiteVersion } from "./site-version.js";

/** How often a request is answered again because another version has replaced the site meanwhile. */
const maxAttempts = 3;

/**
 * An exported site for programs: its search, its pages as Markdown, and the list of pages. Each answer comes from one
 * version of the site, with the rules of this version. Stores nothing.
 */
export class ExportedSite {
    #opening: Promise<SiteVersion> | undefined;

    private constructor(
        private readonly files: SiteFiles,
        private opened: SiteVersion,
        private readonly isPinned: boolean,
    ) {}

    /** @throws Error if the files are not an exported site, or its access.json is invalid */
    static async open(files: SiteFiles): Promise<ExportedSite> {
        return new ExportedSite(files, await openVersion(files), false);
    }

    /** The site's name, from the heading of its llms.txt. */
    get title(): string {
        return this.opened.title;
    }

    /** The path below which the site is served, such as `docs`; empty for the root of its domain. */
    get basePath(): string {
        return this.opened.basePath;
    }

    /** The public skills, for agents. */
    get skills(): readonly SiteSkill[] {
        return this.opened.skills;
    }

    /** Whether the site publishes a skill at `skill.md`. */
    get hasSkillFile(): boolean {
        return this.opened.hasSkillFile;
    }

    /**
     * Takes the latest version, if there is a new one.
     *
     * @throws ClosedSiteError if no version can be read now
     */
    async refresh(): Promise<void> {
        await this.#current();
    }

    /** The site as it is now: when another version has replaced it, all requests fail with a ClosedSiteError. */
    async pin(): Promise<ExportedSite> {
        return new ExportedSite(this.files, await this.#current(), true);
    }

    /**
     * The best sections for a query, only from pages that the reader may read.
     *
     * @throws UnknownDivisionError for a language or version that the site does not have
     * @throws NoSearchError for a site that was exported without search
     */
    search(request: SearchRequest, reader?: Reader): Promise<SiteHit[]> {
        return this.#answer((version) => version.search(request, reader));
    }

    /**
     * @returns undefined for a page that does not exist, or that the reader may not read; the two are indistinguishable
     */
    page(path: string, reader?: Reader): Promise<SitePage | undefined> {
        return this.#answer((version) => version.page(path, reader));
    }

    /** The pages that the reader may read: public pages in reading order, then pages for certain readers. */
    pages(reader?: Reader): Promise<ListedPage[]> {
        return this.#answer((version) => version.pages(reader));
    }

    /**
     * Whether the reader may read a file. The file's path is relative to the site's root, such as `images/plan.png`.
     */
    mayRead(file: string, reader?: Reader): Promise<boolean> {
        return this.#answer((version) => Promise.resolve(version.mayRead(file, reader)));
    }

    /** A public text file at the site's root, such as `llms.txt`. */
    publicText(file: string): Promise<string | undefined> {
        return this.#answer((version) => version.publicText(file));
    }

    async #answer<T>(use: (version: SiteVersion) => Promise<T>): Promise<T> {
        for (let attempt = this.isPinned ? maxAttempts : 1; attempt <= maxAttempts; attempt += 1) {
            const version = await this.#current();
            const [result] = await Promise.allSettled([use(version)]);
            // A mix of two versions may also be the reason for an error.
            if ((await this.files.version()) === version.id) {
                if (result.status === "rejected") {
                    throw result.reason;
                }
                return result.value;
            }
        }
        throw new ClosedSiteError("Another version has replaced the site while it was read.");
    }

    async #current(): Promise<SiteVersion> {
        if (this.isPinned || (await this.files.version()) === this.opened.id) {
            return this.opened;
        }
        this.#opening ??= openVersion(this.files).finally(() => (this.#opening = undefined));
        try {
            this.opened = await this.#opening;
        } catch (error) {
            throw new ClosedSiteError((error as Error).message);
        }
        return this.opened;
    }
}

async function openVersion(files: SiteFiles): Promise<SiteVersion> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const id = await files.version();
        const [version] = await Promise.allSettled([SiteVersion.open(files, id)]);
        if ((await files.version()) === id) {
            if (version.status === "rejected") {
                throw version.reason;
            }
            return version.value;
        }
    }
    throw new ClosedSiteError("Another version has replaced the site while it was opened.");
}

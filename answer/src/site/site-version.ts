import { bundleFactsFile, parseBundleFacts } from "@pulumi-static-export/contract";
import { ReadersRules, type Reader } from "./readers-rules.js";
import { markdownOf } from "./html-to-markdown.js";
import { createValueCache, IndexFolder, publicIndex } from "./index-folder.js";
import { type ListedPage, listedPages } from "./page-list.js";
import { pathOf, routesOf, titleOf } from "./page-path.js";
import { NoSearchError, searchFolders, type SearchRequest, type SiteHit } from "./search-site.js";
import { FilesBelow, type SiteFiles } from "./site-files.js";

export interface SitePage {
    /** The path from the site's root, such as `/guides/start`. */
    readonly path: string;
    readonly markdown: string;
}

/** One version of an exported site, with its rules about readers. */
export class SiteVersion {
    private constructor(
        private readonly files: Pick<SiteFiles, "read">,
        /** Identifies the version. */
        readonly id: string,
        /** The path below which the site is served, such as `docs`; empty for the root of its domain. */
        readonly basePath: string,
        /** Whether the export contains a search; undefined for an export that does not say so. */
        private readonly hasSearch: boolean | undefined,
        /** The site's name, from the heading of its llms.txt. */
        readonly title: string,
        private readonly readers: ReadersRules,
        private readonly everybody: IndexFolder,
        private readonly parts: readonly { readonly file: string; readonly index: IndexFolder }[],
        /** The public skills, for agents. */
        readonly skills: readonly SiteSkill[],
        /** Whether the site publishes a skill at `skill.md`. */
        readonly hasSkillFile: boolean,
    ) {}

    /** @throws Error if the files are not an exported site, or its access.json is invalid */
    static async open(root: SiteFiles, id: string): Promise<SiteVersion> {
        const facts = parseBundleFacts((await root.read(bundleFactsFile)) ?? "");
        const below = facts?.basePath ?? "";
        const files = below === "" ? root : new FilesBelow(root, below);
        const readers = await ReadersRules.read(root, below);
        const cache = createValueCache();
        const text = await files.read("llms.txt");
        if (text === undefined && (await files.read("index.html")) === undefined) {
            throw new Error("This is not an exported site: it has neither llms.txt nor index.html.");
        }
        const title = titleOf(text ?? "")?.trim() ?? "Documentation";
        const parts = [...readers.closedFiles].flatMap((file) => {
            const folder = /^(_private\/\d+\/search)\/0\/scope\.js$/.exec(file)?.[1];
            return folder === undefined ? [] : { file, index: new IndexFolder(files, folder, cache) };
        });
        const readPublic = async (file: string) => (readers.mayRead(file, undefined) ? files.read(file) : undefined);
        const skills = await readSkills(readPublic);
        const hasSkillFile = (await readPublic("skill.md")) !== undefined;
        const everybody = new IndexFolder(files, publicIndex, cache);
        const basePath = below === "" ? (root.basePath ?? "") : below;
        const hasSearch = facts?.features.documentationSearch;
        return new SiteVersion(files, id, basePath, hasSearch, title, readers, everybody, parts, skills, hasSkillFile);
    }

    /**
     * The best sections for a query, only from pages that the reader may read.
     *
     * @throws UnknownDivisionError for a language or version that the site does not have
     * @throws NoSearchError for a site that was exported without search
     */
    async search(request: SearchRequest, reader?: Reader): Promise<SiteHit[]> {
        const parts = this.parts.filter(({ file }) => this.readers.mayRead(file, reader));
        const folders = [this.everybody, ...parts.map(({ index }) => index)];
        const scopes = await Promise.all(this.hasSearch === true ? [] : folders.map((folder) => folder.scopes()));
        if (this.hasSearch === false || (scopes.length > 0 && scopes.flat().length === 0)) {
            throw new NoSearchError("This site was exported without search. Choose from the list of pages instead.");
        }
        return searchFolders(folders, request, (file) => this.readers.mayRead(file, reader));
    }

    /**
     * @returns undefined for a page that does not exist, or that the reader may not read; the two are indistinguishable
     */
    async page(path: string, reader?: Reader): Promise<SitePage | undefined> {
        for (const name of routesOf(path, this.basePath).flatMap((route) => [route, `${route}/index`])) {
            const [markdownFile, htmlFile] = [`${name}.md`, `${name}.html`];
            if (!this.readers.mayRead(markdownFile, reader) || !this.readers.mayRead(htmlFile, reader)) {
                continue;
            }
            const markdown = (await this.files.read(markdownFile)) ?? markdownOf(await this.files.read(htmlFile));
            if (markdown !== undefined) {
                return { path: pathOf(htmlFile), markdown };
            }
        }
        return undefined;
    }

    /** The pages that the reader may read: public pages in reading order, then pages for certain readers. */
    async pages(reader?: Reader): Promise<ListedPage[]> {
        const closed = [...this.readers.closedFiles].filter(
            (file) => file.endsWith(".md") && this.readers.mayRead(file, reader),
        );
        return listedPages(this.files, closed);
    }

    /**
     * Whether the reader may read a file. The file's path is relative to the site's root, such as `images/plan.png`.
     */
    mayRead(file: string, reader?: Reader): boolean {
        return this.readers.mayRead(file, reader);
    }

    /** A public text file at the site's root, such as `llms.txt`. */
    async publicText(file: string): Promise<string | undefined> {
        return this.readers.mayRead(file, undefined) ? this.files.read(file) : undefined;
    }
}

/** Where exports list their skills; see the exporter's `skills.ts`. */
const folder = ".well-known/agent-skills";

/** The maximum number of skills, because agents read their whole list. */
const maxSkills = 100;
const namePattern = /^[a-z\d][a-z\d-]{0,63}$/;

/** A description of how agents do something with the documented product: https://agentskills.io/specification */
export interface SiteSkill {
    readonly name: string;
    readonly description: string;
    /** The path of the skill's file in the site. */
    readonly file: string;
}

/** Returns the skills that a site lists, or none if the list is damaged, so that the site's pages can still be read. */
async function readSkills(read: (file: string) => Promise<string | undefined>): Promise<SiteSkill[]> {
    const skills = new Map<string, SiteSkill>();
    for (const { name, description } of listedIn(await read(`${folder}/index.json`))) {
        if (typeof name === "string" && namePattern.test(name) && typeof description === "string") {
            skills.set(name, { name, description, file: `${folder}/${name}/SKILL.md` });
        }
    }
    return [...skills.values()].slice(0, maxSkills);
}

interface ListedSkill {
    readonly name?: unknown;
    readonly description?: unknown;
}

function listedIn(text = "{}"): ListedSkill[] {
    try {
        const { skills } = JSON.parse(text) as { skills?: (ListedSkill | null)[] };
        return Array.isArray(skills) ? skills.filter((each) => each !== null) : [];
    } catch {
        return [];
    }
}

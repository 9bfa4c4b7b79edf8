import {
    type AsyncChannel,
    type AsyncDocument,
    channelNamed,
    readAsyncDocument,
} from "../api/asyncapi/async-document.js";
import { modelNamed } from "../api/documents/models.js";
import { documentName, possibleDocuments } from "../api/documents/restricted-files.js";
import { SiteDocuments } from "../api/documents/site-documents.js";
import { type ApiDocument, type ApiOperation, operationNamed, readApiDocument } from "../api/openapi/api-document.js";
import { type PageSubject } from "../api/page-subject.js";
import { type FoundWarning } from "../problems/warning-log.js";
import { type FrontMatter, isDraft, lineOfKey } from "../read/front-matter/front-matter.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type SiteSettings } from "../read/settings/site-settings.js";
import { type PagesOfDocuments } from "./navigation/entry-pages.js";
import { GeneratedPages, WrittenPages } from "./navigation/generated-pages.js";

interface PageSubjectsOptions {
    readonly settings: SiteSettings;
    /** Whether pages show what only certain readers may see. */
    readonly showsAll: boolean;
    /** Reads the front matter of a file that may be a page. */
    readonly metaOf: (file: string) => FrontMatter;
}

/** The operations, models and channels in the documents of a site, and the pages that show them. */
export class PageSubjects implements PagesOfDocuments {
    readonly api: SiteDocuments<ApiOperation, ApiDocument>;
    readonly channels: SiteDocuments<AsyncChannel, AsyncDocument>;
    readonly pages: GeneratedPages<ApiOperation | AsyncChannel>;
    readonly #content: SourceFiles["content"];
    /** The files that may be documents or belong to one, also those of skills. */
    readonly #possible: readonly string[];

    /** @param pages the files that may be pages, by route */
    constructor(
        { content, assets, skills }: SourceFiles,
        pages: ReadonlyMap<string, string>,
        { settings: { openapi = [], asyncapi = [] }, showsAll, metaOf }: PageSubjectsOptions,
    ) {
        this.#content = content;
        this.#possible = possibleDocuments([...assets, ...skills]);
        const documents = { content, files: new Set(assets), showsAll };
        const api = new SiteDocuments<ApiOperation, ApiDocument>("OpenAPI", readApiDocument, documents);
        this.channels = new SiteDocuments<AsyncChannel, AsyncDocument>("AsyncAPI", readAsyncDocument, documents);
        const described = new WrittenPages<ApiOperation | AsyncChannel>(function* () {
            for (const [route, file] of pages) {
                const meta = metaOf(file);
                if (meta.hidden !== true && !isDraft(meta)) {
                    yield [route, (other) => subjectIn(other, meta, (source) => api.fileOf(source, file))];
                }
            }
        });
        this.api = api;
        this.pages = new GeneratedPages(pages, described);
        this.api.addSources(openapi);
        this.channels.addSources(asyncapi);
    }

    get problems(): readonly FoundWarning[] {
        return [...this.api.problems, ...this.channels.problems];
    }

    /** The files of documents with nodes for certain readers only, which pages omit. */
    get privateDocuments(): ReadonlySet<string> {
        return new Set([...this.api.privateDocuments, ...this.channels.privateDocuments]);
    }

    /** All files that may be documents or belong to one. */
    get possibleDocuments(): readonly string[] {
        return [...new Set([...this.#possible, ...this.#filesOfSettings])];
    }

    /** Whether a file has the name of a document, or a setting names it. */
    get isNamedDocument(): (file: string) => boolean {
        const named = new Set(this.#filesOfSettings);
        return (file) => documentName.test(file) || named.has(file);
    }

    get #filesOfSettings(): readonly string[] {
        return [...this.api.filesOfSettings, ...this.channels.filesOfSettings];
    }

    /** The subject that a page's front matter names. Reports a name that no document has. */
    of(file: string, { openapi, openapiSchema: model, asyncapi }: FrontMatter): PageSubject | undefined {
        const notFound = (key: string, documents: string, what: string) => (): FoundWarning => {
            const reason =
                `no ${documents} document of the site has ${what}: add the document that contains it to the site, ` +
                "or correct the name";
            return { kind: "openapi", file, line: lineOfKey(this.#content.readText(file), key), reason };
        };
        const at = { page: file, around: [] };
        const ofModel = notFound("openapi-schema", "OpenAPI", `the model "${model}"`);
        const ofChannel = notFound("asyncapi", "AsyncAPI", `the channel "${asyncapi}"`);
        return (
            (openapi && this.api.find(operationNamed(openapi), at, notFound("openapi", "OpenAPI", `"${openapi}"`))) ||
            (model && this.api.find(modelNamed(model), at, ofModel)) ||
            (asyncapi && this.channels.find(channelNamed(asyncapi), at, ofChannel)) ||
            undefined
        );
    }
}

/** The subject that a page names, in the document of another subject. */
function subjectIn(
    other: ApiOperation | AsyncChannel,
    { openapi, asyncapi }: FrontMatter,
    fileOf: (source: string) => string | undefined,
): ApiOperation | AsyncChannel | undefined {
    const isIn = (source: string | undefined) => source === undefined || fileOf(source) === other.file;
    if (other.kind === "operation") {
        const { source, look } = operationNamed(openapi ?? "");
        return isIn(source) ? look(other.document) : undefined;
    }
    const { source, look } = channelNamed(asyncapi ?? "");
    return isIn(source) ? look(other.document) : undefined;
}

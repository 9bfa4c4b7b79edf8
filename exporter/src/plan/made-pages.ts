import { wordsBefore } from "../text/strings.js";
import { type ApiModel, modelIn } from "../api/documents/models.js";
import { type ParsedDocument } from "../api/documents/parse-document.js";
import { type PageSubject, renderSubject } from "../api/page-subject.js";
import { type ApiContext, maxCharacters } from "../api/parts/api-context.js";
import { leadOfText, textOfMarkdown } from "../html/lead.js";
import { emptyBody } from "../html/rendered-body.js";
import { freeRoute, partOfRoute } from "../read/files/generated-routes.js";
import { type FrontMatter, frontMatterOf } from "../read/front-matter/front-matter.js";
import { type ApiDisplay } from "../read/settings/site-settings.js";
import { keyOfPage, type SitePage } from "./site-page.js";
import { type PageWork } from "./site-pages.js";

/** The routes of models' pages, by document and by name. */
export type ModelRoutes = ReadonlyMap<ParsedDocument, ReadonlyMap<string, string>>;

interface ModelPagesOptions extends Pick<PageWork, "yieldToEventLoop"> {
    readonly display: ApiDisplay;
    readonly keyOfRendering: string;
    /** Whether some readers may not read the page. */
    readonly isPrivate: (route: string) => boolean;
}

/** The page of an operation, a model or a channel that no file describes. */
export function madePage(route: string, subject: PageSubject, keyOfRendering: string): SitePage {
    const { title, file } = subject;
    const described = subject.kind === "model" ? undefined : subject.description;
    const description = firstSentence(described ?? "") || undefined;
    const operation = subject.kind === "operation" ? subject : undefined;
    const { meta: own, problems } = frontMatterOf(operation?.page.metadata ?? {});
    const meta: FrontMatter = {
        ...(description !== undefined && { description }),
        ...(operation?.isDeprecated === true && { deprecated: true }),
        ...own,
        title,
    };
    return {
        route,
        file,
        source: operation?.page.content ?? "",
        hasSource: false,
        meta,
        title,
        label: meta.sidebarTitle ?? title,
        problems,
        subject,
        cacheKey: keyOfPage(keyOfRendering, file, route, subject.digest),
    };
}

function firstSentence(text: string): string {
    const [first = ""] = text.trim().split(/\n/, 1);
    const line = textOfMarkdown(first);
    return leadOfText(
        /^.{1,200}?(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s|$)/.exec(line)?.[0] ?? wordsBefore(line, 200, " "),
    );
}

/**
 * Creates pages for the models whose fields do not fit on pages of operations and channels. A document with a page for certain
 * readers gets no model pages, because its models may be for these readers only.
 *
 * @param pages all other pages of the site
 */
export async function makeModelPages(
    pages: ReadonlyMap<string, SitePage>,
    { display, keyOfRendering, isPrivate, yieldToEventLoop }: ModelPagesOptions,
): Promise<{ made: readonly SitePage[]; routes: ModelRoutes }> {
    const made: SitePage[] = [];
    const taken = new Set(pages.keys());
    const routes = new Map<ParsedDocument, Map<string, string>>();
    for (const [document, own] of Map.groupBy(pages.values(), ({ subject }) => subject?.document)) {
        if (document === undefined) {
            continue;
        }
        const ofDocument = new Map(
            own.flatMap(({ route, subject }) => (subject?.kind === "model" ? [[subject.title, route] as const] : [])),
        );
        routes.set(document, ofDocument);
        const isOpen = !own.some(({ route }) => isPrivate(route));
        const subjects = isOpen ? own.flatMap(({ subject }) => subject ?? []) : [];
        const titles = new Set(ofDocument.keys());
        for (const model of await modelsWithoutPage(document, subjects, titles, display, yieldToEventLoop)) {
            // The folder is next to the document, so that the route does not depend on the site's navigation.
            const folder = document.file.replace(/\.[^./]+$/, "");
            const route = freeRoute(`${folder}/${partOfRoute(model.title) || "model"}`, (each) => !taken.has(each));
            taken.add(route);
            ofDocument.set(model.title, route);
            made.push(madePage(route, model, keyOfRendering));
        }
    }
    return { made, routes };
}

/** The models whose fields do not fit on the pages of a document or on the pages of other models. */
async function modelsWithoutPage(
    document: ParsedDocument,
    ofPages: readonly PageSubject[],
    titles: ReadonlySet<string>,
    display: ApiDisplay,
    yieldToEventLoop: PageWork["yieldToEventLoop"],
): Promise<readonly ApiModel[]> {
    const found = new Map<string, ApiModel>();
    const subjects = [...ofPages];
    for (const subject of subjects) {
        const isFound = found.get(subject.title) === subject;
        for (const model of modelsWithoutRoom(subject, isFound, display).flatMap(
            (name) => modelIn(document, name) ?? [],
        )) {
            if (!model.isPrivate && !found.has(model.title) && !titles.has(model.title)) {
                found.set(model.title, model);
                subjects.push(model);
            }
        }
        await yieldToEventLoop();
    }
    return [...found.values()];
}

/**
 * Finds the models that the page of a subject would link to, by writing the page without Markdown and code.
 */
function modelsWithoutRoom(subject: PageSubject, isFound: boolean, display: ApiDisplay): string[] {
    const names = new Set<string>();
    const context: ApiContext = {
        maxCharacters: isFound ? maxCharacters.ofModel : maxCharacters.ofPage,
        markdown: () => "",
        code: () => "",
        display: { ...display, makesSamples: false },
        modelHref: (name) => void names.add(name),
        warn: () => undefined,
    };
    renderSubject(subject, emptyBody, context, false);
    return [...names];
}

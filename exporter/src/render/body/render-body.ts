import { renderChannel } from "../../api/asyncapi/channel-page.js";
import { type ExportFeatures } from "../../read/settings/deployment.js";
import { type CachedPage } from "./page-cache.js";
import { operationOf, type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { hidesForm } from "../../read/settings/setting-readers.js";
import { lineOfText } from "../../text/line-of-text.js";
import { writeCode } from "../code/code-block.js";
import { HeadingIds } from "../../html/heading-ids.js";
import { escapeHtml } from "../../text/html-text.js";
import { resolveLink, type SeenLink } from "../../plan/links/link-resolver.js";
import { renderHomePage } from "./home-page.js";
import { renderModel } from "../../api/openapi/model-page.js";
import { renderOperation } from "../../api/openapi/operation-page.js";
import { type ApiHost } from "../../api/parts/api-host.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { type RenderedPage, type RenderHost } from "../page/render-host.js";
import { renderPage } from "../page/render-page.js";
import { type ModuleFiles } from "../modules/module-files.js";
import { type SiteWarning } from "../../problems/warnings.js";

/** Text that Markdown does not change, as most descriptions in a document are. */
const plainText = /^[\p{L}\p{N} ,.;:'()/-]+$/u;

/** A page keeps no more warnings than this; those of its links do not count. */
const maxWarningsOfAPage = 200;

/** Whether readers may send requests from the page. */
export function hasTryIt({ tryIt }: ExportFeatures, page: SitePage): boolean {
    return tryIt && operationOf(page)?.isWebhook === false && !hidesForm.includes(page.meta.playground ?? "");
}

/** Renders a page's body. The same page of the same plan gives the same body. */
export function renderBody(page: SitePage, plan: SitePlan, modules: ModuleFiles): CachedPage {
    const links: SeenLink[] = [];
    const warnings: SiteWarning[] = [];
    // A text within another file has lines of its own.
    const lineIn = (line: number | undefined) => (isMade(page) ? undefined : line);
    const host: RenderHost = {
        modules,
        iconLibrary: plan.settings.iconLibrary,
        link: (href, { file, line }) => {
            const { href: resolved, problem } = resolveLink(href, page, plan.targets);
            // Raw HTML keeps no positions, so a link's line is where its address stands first.
            const place = lineIn(line ?? lineOfText(page.source, href));
            links.push({ href, resolved, problem, ...(file !== page.file && { file }), line: place });
            return resolved;
        },
        warn: (kind, { file, line }, reason, near) => {
            const found = near === undefined ? line : lineOfText(page.source.toLowerCase(), near);
            warnings.push({ kind, file, line: lineIn(found), reason });
        },
    };
    const { body, files } = renderWithApi(page, plan, host);
    const imports = files.map((file) => [file, modules.digestOf(file)] as const);
    return { body, links, warnings: warnings.slice(0, maxWarningsOfAPage), imports };
}

function renderWithApi(page: SitePage, { features, settings }: SitePlan, host: RenderHost): RenderedPage {
    const ids = new HeadingIds();
    const rendered = renderPage(page.file, page.source, page.meta.values ?? {}, host, {
        description: page.meta.description,
        ids,
        pageName: page.title,
        ...(isMade(page) && { isMdx: true }),
    });
    const { subject } = page;
    if (subject === undefined) {
        const { home } = page.meta;
        const link = (href: string) => host.link(href, { file: page.file, line: undefined });
        return home === undefined ? rendered : { ...rendered, body: renderHomePage(home, rendered.body, link) };
    }
    const api: ApiHost = {
        markdown: (text, minLevel = 3) =>
            plainText.test(text)
                ? `<p>${escapeHtml(text)}</p>`
                : renderPage(subject.file, text, {}, host, { ids, minLevel }).body.html,
        display: settings.apiDisplay ?? {},
        code: (code, language, title) => {
            const meta = title && `title="${title.replaceAll('"', "")}"`;
            return writeCode(code, language, meta, { icon: () => "" });
        },
    };
    const describe = ({ body }: RenderedPage): RenderedBody => {
        switch (subject.kind) {
            case "operation":
                return renderOperation(subject, body, api, hasTryIt(features, page));
            case "model":
                return renderModel(subject, body, api);
            case "channel":
                return renderChannel(subject, body, api);
        }
    };
    return { ...rendered, body: describe(rendered) };
}

/** Whether the page is made of a document, without a file of its own. */
function isMade({ subject, hasSource }: SitePage): boolean {
    return subject !== undefined && !hasSource;
}

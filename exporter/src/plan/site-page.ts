import { hash } from "node:crypto";
import { type ApiOperation } from "../api/openapi/api-document.js";
import { type PageSubject } from "../api/page-subject.js";
import { type FrontMatter, type FrontMatterProblem } from "../read/front-matter/front-matter.js";
import { type SiteWarning } from "../problems/warning-log.js";

/** A page that was read but not rendered. */
export interface SitePage {
    readonly route: string;
    readonly file: string;
    readonly source: string;
    /** Whether the page has its own file, unlike an operation's page. Reading this property does not read the file. */
    readonly hasSource: boolean;
    readonly meta: FrontMatter;
    readonly title: string;
    /** The page's title in the navigation. */
    readonly label: string;
    /** The problems of the front matter. */
    readonly problems: readonly FrontMatterProblem[];
    /** The part of a document that is the page's subject, if there is one. */
    readonly subject: PageSubject | undefined;
    /** A digest of everything that the page depends on, except its imports and the targets of its links. */
    readonly cacheKey: string;
}

/** The operation that is the page's subject. */
export function operationOf({ subject }: SitePage): ApiOperation | undefined {
    return subject?.kind === "operation" ? subject : undefined;
}

/** Whether the page shows the fields of a model that do not fit on other pages. */
export function isMadeOfModel({ subject, hasSource }: SitePage): boolean {
    return subject?.kind === "model" && !hasSource;
}

/** The front matter problems of a page that is not exported; those of exported pages are reported with the page's text. */
export function problemsOfPage({ file, problems }: SitePage): SiteWarning[] {
    return problems.map((problem) => ({ kind: "syntax", file, ...problem }));
}

/** @param parts everything that a page depends on, except its imports and the targets of its links */
export function keyOfPage(...parts: readonly string[]): string {
    return hash("sha256", parts.join("\0"), "base64url");
}

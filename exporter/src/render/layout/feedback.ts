import { canonicalUrl, encodePath } from "../../read/files/routes.js";
import { escapeHtml } from "../../text/html-text.js";
import { word } from "../../words/words.js";
import { withoutTakenIds } from "./frame-ids.js";
import { type PageView } from "./page-view.js";

/** Questions and links below a page; scripts show the questions if a service can receive the answers. */
export function feedbackHtml(view: PageView): string {
    const { thumbsRating, suggestEdit, raiseIssue, repository = "" } = view.settings.feedback ?? {};
    const { markdown, page, site } = view;
    if (markdown === undefined) {
        return "";
    }
    const parts = [
        ...(thumbsRating === true ? [question] : []),
        ...(suggestEdit === true && page.hasSource
            ? [linkTo(editAddress(repository, page.file), word("suggestEdit"))]
            : []),
        ...(raiseIssue === true
            ? [linkTo(issueAddress(repository, page.title, canonicalUrl(site, page.route)), word("raiseIssue"))]
            : []),
    ];
    return parts.length === 0 ? "" : `<div class="feedback">${withoutTakenIds(parts.join(""), view.body)}</div>\n`;
}

const question =
    '<div class="helpful" role="group" aria-labelledby="static-export-helpful" ' +
    `data-thanks="${word("thanks")}" hidden>` +
    `<span id="static-export-helpful">${word("wasHelpful")}</span>` +
    `<button type="button" value="up" id="feedback-thumbs-up">${word("yes")}</button>` +
    `<button type="button" value="down" id="feedback-thumbs-down">${word("no")}</button>` +
    '<span role="status"></span></div>';

function linkTo(address: string, text: string): string {
    return `<a href="${escapeHtml(address)}">${text}</a>`;
}

/** @param folder such as `https://github.com/acme/docs/tree/main/docs`, or the repository alone */
function editAddress(folder: string, file: string): string {
    const { repository, inRepository, dash } = partsOf(folder);
    return `${repository}${dash}/edit/${inRepository}/${encodePath(file)}`;
}

function issueAddress(folder: string, title: string, address: string): string {
    const { repository, dash } = partsOf(folder);
    const query = new URLSearchParams(
        dash === "" ? { title, body: address } : { "issue[title]": title, "issue[description]": address },
    );
    return `${repository}${dash}/issues/new?${query.toString()}`;
}

/** GitLab inserts `/-` after the project's name. */
function partsOf(folder: string) {
    const [repository = "", inRepository] = folder.split(/(?:\/-)?\/(?:tree|src|edit)\//);
    const isGitLab = folder.includes("/-/") || /^https:\/\/gitlab\./.test(folder);
    return { repository, inRepository: inRepository ?? "main", dash: isGitLab ? "/-" : "" };
}

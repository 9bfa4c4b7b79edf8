import { rewriteCssAddresses } from "../../html/css-addresses.js";
import { hostsLoadedBy, hostsOfStyles } from "../../html/loaded-hosts.js";
import { AnchorCheck, anchorsOfFinishedPage, type AnchorLink } from "../../plan/links/anchor-check.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { readHtml } from "./read-html.js";
import { type SiteAddresses } from "./site-addresses.js";

const notFoundPage = /(?:^|\/)404(?:\/index)?\.html$/;

/** Checks the links of finished pages, and collects facts about the pages. */
export class LinkCheck {
    /** The files of pages that readers open: neither redirects nor pages for unknown addresses. */
    readonly pages = new Set<string>();
    /** Hosts from which pages load something. */
    readonly hosts = new Set<string>();
    readonly #anchors = new AnchorCheck();

    constructor(
        private readonly addresses: SiteAddresses,
        private readonly warn: (warning: SiteWarning) => void,
    ) {}

    addPage(file: string, text: string): void {
        const { ids, addresses, base, isRedirect, scriptHosts } = readHtml(text);
        [...scriptHosts, ...hostsLoadedBy(text)].forEach((host) => this.hosts.add(host));
        const links: AnchorLink[] = [];
        const isNotFound = notFoundPage.test(file);
        for (const { href, line } of addresses) {
            // The headings of such a page link to themselves, but builders add a `<base>` that leads to the home page.
            if (isNotFound && href.startsWith("#")) {
                continue;
            }
            const target = this.addresses.targetOf(href, file, base);
            if (target.kind === "problem") {
                this.warn({ kind: "link", file, line, reason: target.reason });
            } else if (target.kind === "file" && !["", "top"].includes(target.anchor)) {
                links.push({ file, line, href, route: target.file, anchor: target.anchor });
            }
        }
        if (!isRedirect && !isNotFound) {
            this.pages.add(file);
        }
        this.#anchors.add(anchorsOfFinishedPage(file, ids, links));
    }

    addStyles(file: string, text: string): void {
        hostsOfStyles(text).forEach((host) => this.hosts.add(host));
        rewriteCssAddresses(text, (href, line) => {
            const target = this.addresses.targetOf(href, file);
            if (target.kind === "problem") {
                this.warn({ kind: "link", file, line, reason: target.reason });
            }
            return href;
        });
    }

    /** Reports links to missing parts. Call this after all pages were added. */
    finish(): void {
        this.#anchors.warnings((file) => (this.pages.has(file) ? file : undefined)).forEach(this.warn);
    }
}

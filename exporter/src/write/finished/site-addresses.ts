import { decodeUri, trimSlashes, withoutQuery } from "@pulumi-static-export/contract";
import { type Redirects } from "../../plan/links/redirects.js";
import { encodePath, type SiteAddress } from "../../read/files/routes.js";

/** The target of an address in a finished site. */
type AddressTarget =
    | { readonly kind: "elsewhere" }
    | { readonly kind: "file"; readonly file: string; readonly anchor: string }
    | { readonly kind: "problem"; readonly reason: string };

const elsewhere: AddressTarget = { kind: "elsewhere" };
const maxRedirects = 5;

/** Finds the files of a finished site at its addresses, as web servers do. */
export class SiteAddresses {
    readonly #origin: string;
    readonly #root: string;

    constructor(
        site: SiteAddress,
        private readonly files: ReadonlySet<string>,
        private readonly redirects: Redirects,
    ) {
        this.#origin = `https://${site.domain}`;
        this.#root = site.basePath === "" ? "/" : `/${site.basePath}/`;
    }

    /** @param from the file that contains the address @param base the page's `<base>` */
    targetOf(href: string, from: string, base?: string): AddressTarget {
        const page = new URL(this.#root + encodePath(from), this.#origin);
        const start = base !== undefined && URL.canParse(base, page) ? new URL(base, page) : page;
        if (href === "" || !URL.canParse(href, start)) {
            return elsewhere;
        }
        const { origin, pathname, hash } = new URL(href, start);
        if (origin !== this.#origin) {
            return elsewhere;
        }
        const anchor = decodeUri(hash.slice(1).replace(/:~:[^]*$/, ""));
        if (!`${pathname}/`.startsWith(this.#root)) {
            return this.#outside(pathname);
        }
        const path = decodeUri(pathname.slice(this.#root.length)).normalize("NFC");
        const file = this.#fileAt(path);
        if (file !== undefined) {
            return { kind: "file", file, anchor };
        }
        return this.#isRedirected(path, maxRedirects) ? elsewhere : this.#missing(href, path);
    }

    /** Returns the file that a server sends for a path: the path itself, a page without `.html`, or a folder's page. */
    #fileAt(path: string): string | undefined {
        const folder = path.replace(/\/$/, "");
        const index = folder === "" ? "index.html" : `${folder}/index.html`;
        return [path, `${folder}.html`, index].find((file) => this.files.has(file));
    }

    #isRedirected(path: string, redirectsLeft: number): boolean {
        const target = this.redirects.find(trimSlashes(path));
        if (target === undefined || redirectsLeft === 0) {
            return false;
        }
        const next = withoutQuery(target);
        return !next.startsWith("/") || this.#isKnown(next.slice(1), redirectsLeft - 1);
    }

    #isKnown(path: string, redirectsLeft: number): boolean {
        return this.#fileAt(decodeUri(path)) !== undefined || this.#isRedirected(path, redirectsLeft);
    }

    /** An address outside of the base path may lead to another site of the domain. */
    #outside(pathname: string): AddressTarget {
        return this.#fileAt(decodeUri(pathname.slice(1))) === undefined
            ? elsewhere
            : {
                  kind: "problem",
                  reason:
                      `absolute addresses of the site's files do not begin with ${this.#root}, so they lead nowhere: ` +
                      `set the builder's base path to ${this.#root}`,
              };
    }

    #missing(href: string, path: string): AddressTarget {
        const [first = "", ...rest] = path.split("/");
        const isBuiltBelow =
            rest.length > 0 && /^(?:\/|https?:)/i.test(href) && this.#fileAt(rest.join("/")) !== undefined;
        return {
            kind: "problem",
            reason: isBuiltBelow
                ? `the site was built for the path /${first}/, but is exported for ${this.#root}: pass ` +
                  `--base-path /${first}, or change the builder's base path`
                : `the link ${href} leads to no file of the site`,
        };
    }
}

import { isPlain, asRecord } from "../../text/json-values.js";

/** How a key of the front matter is read. */
export interface Field<T> {
    /** Describes the expected type, for messages. */
    readonly what: string;
    /** Reads the value; undefined if the value is invalid. */
    readonly read: (value: unknown) => T | undefined;
    /** The field's value if the value in the front matter is invalid. */
    readonly unreadable?: (value: unknown) => T | undefined;
    /** @default the field's name */
    readonly key?: string;
}

const maxKeywords = 100;

const text: Field<string> = {
    what: "a string",
    read: (value) => (isPlain(value) ? String(value) : undefined),
};

const flag: Field<boolean> = {
    what: "true or false",
    read: (value) => (typeof value === "boolean" ? value : { true: true, false: false }[String(value)]),
};

const number: Field<number> = {
    what: "a number",
    read: (value) => (typeof value === "number" ? value : undefined),
};

const keywords: Field<readonly string[]> = {
    what: "a list of words",
    read: (value) => {
        const list: unknown[] | undefined = Array.isArray(value)
            ? value
            : isPlain(value)
              ? String(value).split(",")
              : undefined;
        return list
            ?.filter(isPlain)
            .map((word) => String(word).trim())
            .filter((word) => word !== "")
            .slice(0, maxKeywords);
    },
};

const webAddress: Field<string> = {
    what: "an address such as https://docs.example.com/start",
    read: webAddressOf,
};

const relatedPages: Field<readonly RelatedPage[]> = { what: "a list of addresses", read: relatedPagesOf };

/** The fields that are read from single keys, each with the function that reads it. */
export const pageFields = {
    title: text,
    description: text,
    /** A shorter title for the navigation. */
    sidebarTitle: text,
    /** Whether the exported page is missing from the navigation and from the search. */
    hidden: flag,
    /** Whether the page is unfinished: exports leave it out. A mistake publishes nothing. */
    draft: { ...flag, unreadable: () => true },
    /** False marks a draft, and so does a mistake. Blogs write a date. */
    published: { ...flag, unreadable: (value: unknown) => (/^\d{4}/.test(String(value)) ? undefined : false) },
    /** Whether only readers with the page's address find it: `hidden` and `noindex` together. */
    unlisted: flag,
    /** Whether the exported page asks search engines not to list it. */
    noindex: flag,
    /**
     * The page's position among its neighbours in a navigation that follows folders. Pages without a position follow by
     * name.
     */
    order: number,
    /** A label after the title in the navigation, such as "NEW". */
    tag: text,
    deprecated: flag,
    /** The address of another site to which the navigation links instead of the page. */
    url: text,
    /** The operation that the page documents: `openapi.json POST /pets`. */
    openapi: text,
    /** The channel that the page documents: `asyncapi.yaml chat`. */
    asyncapi: text,
    /** The model that the page documents. */
    openapiSchema: { ...text, key: "openapi-schema" },
    /** An operation without a document: `POST https://api.example.com/pets`. */
    api: text,
    /** The layout, which decides what surrounds the article: `wide`, `custom`, `center` or `frame`. */
    mode: text,
    /** Whether the page's updates are also published as a feed. */
    rss: flag,
    /** The style of a Font Awesome icon. */
    iconType: text,
    /** Whether the site's search includes the page. */
    searchable: flag,
    /** Words that find the page in the search although the page's text does not contain them. */
    keywords,
    /** The address that search engines should list instead of the page's own address. */
    canonical: webAddress,
    /** Pages that are listed below the page's own text. */
    related: relatedPages,
    /** Whether the links to the previous and next page are hidden. */
    hideFooterPagination: flag,
    /** Whether the method of the page's operation is hidden in the navigation. */
    hideApiMarker: flag,
    /** Whether the day of the last change is shown; by default, the site's setting decides. */
    timestamp: flag,
    /** The values `simple`, `none` and `auth` hide the request form. */
    playground: text,
};

/** Whether a value is a text without words, as templates and forms write it for a key without a value. */
export function isBlank(value: unknown): boolean {
    return typeof value === "string" && value.trim() === "";
}

/** An address that also works outside of the site. */
export function webAddressOf(value: unknown): string | undefined {
    return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : undefined;
}

/** A related page, of this site or elsewhere. */
interface RelatedPage {
    readonly href: string;
    /** The title of the link; if undefined, the related page's title is used. */
    readonly title?: string;
}

const maxRelated = 50;

/** Reads `related` of front matter: addresses, and `Title: address`. Returns undefined for an invalid value. */
function relatedPagesOf(value: unknown): readonly RelatedPage[] | undefined {
    if (value === false) {
        return [];
    }
    return Array.isArray(value) ? value.slice(0, maxRelated).flatMap(readEntry) : undefined;
}

function readEntry(entry: unknown): RelatedPage[] {
    if (typeof entry === "string") {
        return entry.trim() === "" ? [] : [{ href: entry.trim() }];
    }
    return Object.entries(asRecord(entry)).flatMap(([title, href]) =>
        typeof href === "string" ? [{ title, href: href.trim() }] : [],
    );
}

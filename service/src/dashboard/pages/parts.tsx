import { randomUUID } from "node:crypto";
import { cloneElement, type ComponentChildren, isValidElement, toChildArray, type VNode } from "preact";
import { amount, beginningOf } from "@pulumi-static-export/contract";
import { type Caller, isUnlimited, narrowedTo } from "../../http/protocol/caller.js";
import { keyScopes } from "../../keys/admin-keys.js";
import { readable } from "./shown-text.js";

/** What every page needs from its request. */
export interface PageContext {
    /** The path of the dashboard, without a trailing slash. */
    base: string;
    caller: Caller;
    /** The token that every form repeats. */
    csrf: string;
    /** The filters in the page's address. */
    query: Readonly<Record<string, string | undefined>>;
}

const sections = [
    { path: "/sites", title: "Sites", scopes: ["read", "export", "update"] },
    { path: "/jobs", title: "Exports", scopes: ["read", "export"] },
    { path: "/updates", title: "Updates", scopes: ["read", "export", "update"] },
    { path: "/failures", title: "Failures", scopes: ["read", "export"] },
    { path: "/agent-jobs", title: "Agent jobs", scopes: ["read", "agent"] },
    { path: "/keys", title: "API keys", scopes: ["keys"] },
    { path: "/health", title: "Health", scopes: ["read"] },
    { path: "/sessions", title: "Sessions", scopes: keyScopes },
    { path: "/audit", title: "Audit", scopes: ["keys"], needsAll: true },
] as const;

/** The sections that a caller may see; some show what concerns every site. */
function sectionsOf(caller: Caller) {
    return sections.filter((section) => {
        const isAllowed = section.scopes.some((scope) => caller.scopes.includes(scope));
        return isAllowed && (!("needsAll" in section) || isUnlimited(narrowedTo(section.scopes, caller)));
    });
}

/** The path of the first section that a caller may see. */
export function firstSectionOf(caller: Caller): string {
    return sectionsOf(caller)[0]?.path ?? "/sites";
}

interface LayoutProps {
    title: string;
    context: PageContext;
    /** The path of the section to which the page belongs. */
    section: string;
    /** Whether the page shows every new job as it starts. */
    isLive?: boolean;
    /** Whether the page must not be replaced, because it shows a key for the only time. */
    keeps?: boolean;
    /** Where the browser goes next. */
    leadsTo?: string;
    children: ComponentChildren;
}

export function Layout({ title, context, section, isLive = false, keeps = false, leadsTo, children }: LayoutProps) {
    const { base, caller } = context;
    const shown = sectionsOf(caller);
    return (
        <html lang="en">
            <Head title={title} base={base}>
                {leadsTo === undefined ? null : <meta http-equiv="refresh" content={`0;url=${leadsTo}`} />}
            </Head>
            <body data-events={`${base}/events`}>
                <a class="skip" href="#main">
                    Skip to the content
                </a>
                <header class="top">
                    <strong>Static export</strong>
                    <nav aria-label="Sections">
                        {shown.map(({ path, title: name }) => (
                            <a href={base + path} aria-current={path === section ? "page" : undefined}>
                                {name}
                            </a>
                        ))}
                    </nav>
                    <form method="post" action={`${base}/sign-out`}>
                        <Csrf context={context} />
                        <span class="foreign">{caller.id === null ? "Operator" : caller.name}</span>
                        <button>Sign out</button>
                    </form>
                </header>
                <main id="main" tabIndex={-1} data-live={isLive ? "all" : undefined} data-keep={keeps ? "" : undefined}>
                    {children}
                </main>
                <div id="news" class="unseen" role="status" />
                <div id="away" class="note warning" role="status" hidden>
                    The service has been unreachable since <time />. This page shows what was known then, and updates
                    itself.
                </div>
            </body>
        </html>
    );
}

/** A page that a form's answer leads to where forms must not lead themselves, such as a bucket. */
export function DownloadPage({ context, back, url }: { context: PageContext; back: string; url: string }) {
    return (
        <Layout title="Download" context={context} section="/jobs" leadsTo={url}>
            <h1>The download begins</h1>
            <p>
                If it does not, use <a href={url}>this link</a>, which works for some time.{" "}
                <a href={context.base + back}>Back to the export</a>
            </p>
        </Layout>
    );
}

export function Head({ title, base, children }: { title: string; base: string; children?: ComponentChildren }) {
    return (
        <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>{`${title} · Static export`}</title>
            <link rel="stylesheet" href={`${base}/assets/dashboard.css`} />
            <link rel="icon" href="data:," />
            <script src={`${base}/assets/dashboard.js`} defer />
            <script src={`${base}/assets/filters.js`} defer />
            {children}
        </head>
    );
}

export function Csrf({ context }: { context: PageContext }) {
    // Without "off", browsers fill in the token of an earlier session after the way back.
    return <input type="hidden" name="_csrf" value={context.csrf} autocomplete="off" />;
}

/** A form's own key, with which a second click finds what the first one did. */
export function Once() {
    return <input type="hidden" name="request" value={randomUUID()} />;
}

/** A form that filters a list. After the way back, its fields are those of the page, and not what was typed later. */
export function FilterForm({ action, children }: { action: string; children: ComponentChildren }) {
    return (
        <form class="search" role="search" action={action} autocomplete="off">
            {children}
        </form>
    );
}

interface ActProps {
    context: PageContext;
    action: string;
    title: string;
    /** `main` for the page's main action, `danger` for one that ends something. */
    look?: "main" | "danger";
    /** Names the button for screen readers, if its title is not enough. */
    label?: string;
}

/** A button that does something, as a form, so that it works without scripts. */
export function Act({ context, action, title, look, label }: ActProps) {
    return (
        <form method="post" action={context.base + action}>
            <Csrf context={context} />
            <Once />
            <button class={look} aria-label={label}>
                {title}
            </button>
        </form>
    );
}

export function Status({ of: status }: { of: string }) {
    return <span class={`status ${status}`}>{status}</span>;
}

/** A time in UTC, which the script shows in the reader's zone. */
export function Time({ at }: { at: string }) {
    return <time dateTime={at}>{`${at.slice(0, 19).replace("T", " ")} UTC`}</time>;
}

/** A text of a site, an agent or a forge. */
export function Foreign({ text, limit = 2000 }: { text: string; limit?: number }) {
    return <span class="foreign">{readable(text, limit)}</span>;
}

interface TableProps {
    /** What screen readers call the table. */
    title: string;
    columns: readonly string[];
    /** The columns with numbers. */
    numbers?: readonly string[];
    /** Rows with one cell for each column. */
    children: VNode[];
}

/** A table, which narrow screens show as cards: each cell knows the name of its column. */
export function Table({ title, columns, numbers = [], children }: TableProps) {
    return (
        <div class="scroll" tabIndex={0} role="region" aria-label={title}>
            <table>
                <thead>
                    <tr>
                        {columns.map((name) => (
                            <th class={numbers.includes(name) ? "end" : undefined}>{name}</th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {children.map((row) => {
                        const cells = toChildArray((row.props as { children?: ComponentChildren }).children);
                        const named = cells
                            .filter((cell) => isValidElement(cell))
                            .map((cell, place) => cloneElement(cell, { "data-column": columns[place] }));
                        return cloneElement(row, {}, named);
                    })}
                </tbody>
            </table>
        </div>
    );
}

interface PagesProps {
    context: PageContext;
    /** The path of the list, without the base. */
    path: string;
    /** The cursor of the next page. */
    next: string | null | undefined;
    /** How the links are called. */
    titles?: { before: string; after: string };
}

/** So many pages are remembered; from the one before them, the way back leads to the first page. */
const maxPagesBack = 50;

/** Links to the page before and after. A cursor leads only forward, so that the address has those of earlier pages. */
export function Pages({ context, path: list, next, titles = { before: "Newer", after: "Older" } }: PagesProps) {
    const { cursor, back, ...filters } = context.query;
    const path = context.base + list;
    const earlier = (back ?? "").split(",").filter((each) => each !== "");
    const before = withQuery(path, { ...filters, cursor: earlier.at(-1), back: earlier.slice(0, -1).join(",") });
    const known = [...earlier, ...(cursor ? [cursor] : [])].slice(-maxPagesBack).join(",");
    return !cursor && !next ? null : (
        <nav class="pages" aria-label="Pages">
            {cursor ? (
                <a class="button" href={before} rel="prev">
                    {titles.before}
                </a>
            ) : null}
            {next ? (
                <a class="button" href={withQuery(path, { ...filters, cursor: next, back: known })} rel="next">
                    {titles.after}
                </a>
            ) : null}
        </nav>
    );
}

/** Why a list's filters find nothing. */
export function Problem({ text }: { text: string | undefined }) {
    return text === undefined ? null : (
        <div class="note warning" role="status">
            <Foreign text={text} />
        </div>
    );
}

const filterFields = [
    ...["search", "domain", "site", "state", "status", "key", "error", "reason", "actor", "act", "since", "until"],
];

/** Says that a list has no entries: of a filter, only that none matches it. */
export function Empty({ context, one, none }: { context: PageContext; one: string; none: string }) {
    const isFiltered = filterFields.some((name) => context.query[name] !== undefined);
    return <p class="soft">{isFiltered ? `No ${one} matches.` : none}</p>;
}

/** How many entries a list has on all of its pages; the API counts up to 1000. */
export function Total({ of: total, one, many }: { of: number | undefined; one: string; many: string }) {
    return total === undefined ? null : (
        <p class="soft">{total > 1000 ? `more than 1000 ${many}` : amount(total, one, many)}</p>
    );
}

/** The days of a filter. The script adds the moments at which they begin and end where the reader is. */
export function DayFields({ query: { since, until, zone } }: Pick<PageContext, "query">) {
    // Of a link that somebody else shares, the days are those of the sender.
    const known = since === undefined && until === undefined ? undefined : beginningOf(zone ?? "UTC", 64);
    return (
        <>
            {(
                [
                    ["From", "since", since],
                    ["To", "until", until],
                ] as const
            ).map(([title, name, day]) => (
                <label>
                    {title} (<span data-zone={known ?? ""}>{known ?? "UTC"}</span>)
                    <input type="date" name={name} value={day ?? ""} />
                    <input type="hidden" name={`${name}At`} />
                </label>
            ))}
            <input type="hidden" name="zone" />
        </>
    );
}

export function formatDuration(ms: number): string {
    const seconds = Math.round(ms / 1000);
    return ms < 1000
        ? `${Math.round(ms)} ms`
        : seconds < 60
          ? `${seconds} s`
          : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The path of a list with some of its filters. */
export function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

import { type ComponentChildren } from "preact";
import { type Caller } from "../../http/protocol/caller.js";

/** What every page needs from its request. */
export interface PageContext {
    /** The path of the dashboard, without a trailing slash. */
    base: string;
    caller: Caller;
    /** The token that every form repeats. */
    csrf: string;
}

const sections = [
    { path: "/sites", title: "Sites", scopes: ["read", "export", "update"] },
    { path: "/jobs", title: "Exports", scopes: ["read", "export"] },
    { path: "/updates", title: "Updates", scopes: ["read", "export", "update"] },
    { path: "/agent-jobs", title: "Agent jobs", scopes: ["read", "agent"] },
    { path: "/keys", title: "API keys", scopes: ["keys"] },
    { path: "/health", title: "Health", scopes: ["read"] },
] as const;

interface LayoutProps {
    title: string;
    context: PageContext;
    /** The path of the section to which the page belongs. */
    section: string;
    /** Whether the page shows every new job as it starts. */
    isLive?: boolean;
    /** Whether the page must not be replaced, because it shows a key for the only time. */
    keeps?: boolean;
    children: ComponentChildren;
}

export function Layout({ title, context, section, isLive = false, keeps = false, children }: LayoutProps) {
    const { base, caller } = context;
    const shown = sections.filter(({ scopes }) => scopes.some((scope) => caller.scopes.includes(scope)));
    return (
        <html lang="en">
            <Head title={title} base={base} />
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
                <div id="away" class="note warning" role="status" hidden>
                    The service cannot be reached since <time />. This page shows what was known then, and updates
                    itself.
                </div>
            </body>
        </html>
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
            {children}
        </head>
    );
}

export function Csrf({ context }: { context: PageContext }) {
    return <input type="hidden" name="_csrf" value={context.csrf} />;
}

interface ActProps {
    context: PageContext;
    action: string;
    title: string;
    /** `main` for the page's main action, `danger` for one that ends something. */
    look?: "main" | "danger";
    fields?: Readonly<Record<string, string>>;
}

/** A button that does something, as a form, so that it works without scripts. */
export function Act({ context, action, title, look, fields = {} }: ActProps) {
    return (
        <form method="post" action={context.base + action}>
            <Csrf context={context} />
            {Object.entries(fields).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
            ))}
            <button class={look}>{title}</button>
        </form>
    );
}

export function Status({ of: status }: { of: string }) {
    return <span class={`status ${status}`}>{status}</span>;
}

/** A time in UTC, which the script shows in the reader's zone. */
export function Time({ at }: { at: string }) {
    return <time dateTime={at}>{`${at.slice(0, 16).replace("T", " ")} UTC`}</time>;
}

/** A text of a site, an agent or a forge. */
export function Foreign({ text, limit = 2000 }: { text: string; limit?: number }) {
    return <span class="foreign">{readable(text, limit)}</span>;
}

const controls = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shows characters that nobody could see, or that would turn the text around, as a mark. */
export function readable(text: string, limit = Infinity): string {
    const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
    return shown.replace(controls, "\ufffd");
}

export function NextPage({ href }: { href: string | undefined }) {
    return href === undefined ? null : (
        <p class="pages">
            <a class="button" href={href}>
                Older
            </a>
        </p>
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

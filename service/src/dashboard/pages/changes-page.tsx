import { type Answer } from "../../http/protocol/schemas.js";
import { jobPath } from "./job-parts.js";
import { Foreign, Layout, type PageContext } from "./parts.js";

interface Part<Entry> {
    count: number;
    first: Entry[];
}

type Pages = Answer<"ExportChanges">["added"];

/** What an export changes for readers. */
export function ChangesPage({ context, changes }: { context: PageContext; changes: Answer<"ExportChanges"> }) {
    const { base } = context;
    const { before, deadLinks, ...pages } = changes;
    const lists: [string, Pages][] = [
        ["Pages that become public", pages.becomePublic],
        ["Pages that become private", pages.becomePrivate],
        ["Removed pages without a redirect", pages.missingRedirects],
        ["Added pages", pages.added],
        ["Changed pages", pages.changed],
        ["Removed pages", pages.removed],
    ];
    const isEqual = deadLinks.count === 0 && lists.every(([, { count }]) => count === 0);
    return (
        <Layout title={`Changes of ${changes.jobId}`} context={context} section="/jobs">
            <p class="trail">
                <a href={base + jobPath(changes)}>{changes.jobId}</a>
            </p>
            <h1>What changed for readers</h1>
            {before === null ? (
                <p>This is the first completed export of these pages.</p>
            ) : (
                <p>
                    Compared with the previous export,{" "}
                    <a href={base + jobPath({ jobId: before })}>
                        <code>{before}</code>
                    </a>
                    .{isEqual ? " No page differs." : ""}
                </p>
            )}
            {lists.map(([title, part]) => (
                <List
                    title={title}
                    part={part}
                    show={({ page, title: name }) => (
                        <>
                            <code class="foreign">{page}</code> <Foreign text={name} limit={300} />
                        </>
                    )}
                />
            ))}
            <List
                title="New dead links"
                part={deadLinks}
                show={({ page, href }) => (
                    <>
                        <code class="foreign">{page}</code> leads to <Foreign text={href} limit={300} />
                    </>
                )}
            />
        </Layout>
    );
}

interface ListProps<Entry> {
    title: string;
    part: Part<Entry>;
    show: (entry: Entry) => preact.JSX.Element;
}

function List<Entry>({ title, part, show }: ListProps<Entry>) {
    return part.count === 0 ? null : (
        <>
            <h2>{`${title} (${part.count})`}</h2>
            <ul>
                {part.first.map((entry) => (
                    <li>{show(entry)}</li>
                ))}
                {part.count > part.first.length ? <li>{`and ${part.count - part.first.length} more`}</li> : null}
            </ul>
        </>
    );
}

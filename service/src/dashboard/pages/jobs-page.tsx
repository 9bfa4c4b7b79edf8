import { shownJobStatuses } from "@pulumi-static-export/contract";
import { type Answer } from "../../http/protocol/schemas.js";
import { JobTable, mayExportAgain } from "./job-parts.js";
import { DayFields, Empty, FilterForm, Layout, type PageContext, Pages, Problem, Total, withQuery } from "./parts.js";

interface JobsPageProps {
    context: PageContext;
    kind: "export" | "update";
    list: Answer<"StaticExportHistory">;
    /** Why the filters find nothing. */
    problem?: string | undefined;
}

export function JobsPage({ context, kind, list, problem }: JobsPageProps) {
    const section = kind === "export" ? "/jobs" : "/updates";
    const title = kind === "export" ? "Exports" : "Documentation updates";
    const { status, search, key, domain, site, error, reason } = context.query;
    const failed = list.jobs.filter((job) => mayExportAgain(context.caller, job));
    return (
        <Layout title={title} context={context} section={section} isLive>
            <h1>{title}</h1>
            <FilterForm action={context.base + section}>
                <label>
                    Status
                    <select name="status">
                        <option value="">any</option>
                        {shownJobStatuses.map((each) => (
                            <option value={each} selected={each === status}>
                                {each}
                            </option>
                        ))}
                    </select>
                </label>
                <label>
                    Domain, job, commit or key
                    <input type="search" name="search" value={search ?? domain ?? key ?? ""} />
                </label>
                <label>
                    Text of the error
                    <input type="search" name="error" maxLength={500} value={error ?? ""} />
                </label>
                {site === undefined ? null : (
                    <label>
                        Site
                        <input type="search" name="site" maxLength={253} value={site} />
                    </label>
                )}
                {reason === undefined ? null : (
                    <label>
                        Reason
                        <input type="search" name="reason" maxLength={500} value={reason} />
                    </label>
                )}
                <DayFields query={context.query} />
                <button>Filter</button>
            </FilterForm>
            <Problem text={problem} />
            {list.jobs.length > 0 ? <Total of={list.total} one={kind} many={`${kind}s`} /> : null}
            {list.jobs.length > 0 || problem !== undefined ? null : (
                <Empty context={context} one={kind} none="There are none." />
            )}
            {list.jobs.length === 0 ? null : (
                <JobTable jobs={list.jobs} context={context} select={{ form: "again", jobs: failed }} />
            )}
            {failed.length === 0 ? null : <ExportAgainForm context={context} />}
            <Pages context={context} path={section} next={list.next} />
        </Layout>
    );
}

/** Leads to the question before several failed exports are repeated. */
function ExportAgainForm({ context }: { context: PageContext }) {
    const { cursor: _cursor, back: _back, status, ...filters } = context.query;
    const path = `${context.base}/jobs/again`;
    return (
        <form id="again" class="acts" action={path}>
            <button>Export the selected ones again</button>
            {status === "failed" ? (
                <a class="button" href={withQuery(path, { ...filters, all: "1" })}>
                    Export all failed ones of this filter again
                </a>
            ) : null}
        </form>
    );
}

import { type Answer } from "../../http/protocol/schemas.js";
import { jobPath } from "./job-parts.js";
import { Empty, FilterForm, Foreign, Layout, type PageContext, Problem, Table, Time, withQuery } from "./parts.js";

const periods = ["1", "7", "30", "90"];

interface FailuresPageProps {
    context: PageContext;
    list: Answer<"FailureList">;
    problem: string | undefined;
}

/** The failures of sites, one row for each reason. */
export function FailuresPage({ context, list, problem }: FailuresPageProps) {
    const { search, site, days = "7" } = context.query;
    const { failures, jobs, reasons, isComplete } = list;
    return (
        <Layout title="Failures" context={context} section="/failures">
            <h1>Failures by reason</h1>
            <FilterForm action={`${context.base}/failures`}>
                <label>
                    Text of the error
                    <input type="search" name="search" maxLength={500} value={search ?? ""} />
                </label>
                <label>
                    Site
                    <input type="search" name="site" maxLength={253} value={site ?? ""} />
                </label>
                <label>
                    Period
                    <select name="days">
                        {periods.map((each) => (
                            <option value={each} selected={each === days}>
                                {each === "1" ? "the last day" : `the last ${each} days`}
                            </option>
                        ))}
                    </select>
                </label>
                <button>Filter</button>
            </FilterForm>
            <Problem text={problem} />
            {failures.length > 0 ? (
                <p role="status">
                    {`${jobs}${isComplete ? "" : " or more"} ${jobs === 1 ? "failure" : "failures"} with ` +
                        `${reasons} ${reasons === 1 ? "reason" : "reasons"}.`}
                    {failures.length < reasons ? ` These are the ${failures.length} newest reasons.` : ""}
                </p>
            ) : problem === undefined ? (
                <Empty context={context} one="failure" none="Nothing has failed." />
            ) : null}
            {failures.length === 0 ? null : (
                <Table
                    title="Failures by reason"
                    columns={["Site", "Reason", "Failures", "First", "Last"]}
                    numbers={["Failures"]}
                >
                    {failures.map((failure) => rowOf(failure, context, list.since))}
                </Table>
            )}
        </Layout>
    );
}

/** Not a component, because the table names the cells of its rows. */
function rowOf(failure: Answer<"FailureList">["failures"][number], context: PageContext, since: string) {
    const { kind, domain, reason, error, count, firstAt, lastAt, jobId } = failure;
    const list = kind === "export" ? "/jobs" : "/updates";
    const all = withQuery(context.base + list, {
        status: "failed",
        site: domain,
        reason,
        error: context.query["search"],
        since: since.slice(0, 10),
        sinceAt: since,
    });
    return (
        <tr>
            <td>
                <a href={`${context.base}/sites/${encodeURIComponent(domain)}`}>{domain}</a>
            </td>
            <td>
                <Foreign text={error === "" ? "No reason is known." : error} limit={300} />
                <div class="soft">
                    <a href={context.base + jobPath({ jobId })}>the last {kind}</a>
                </div>
            </td>
            <td class="end">
                <a href={all} aria-label={`${count} failed ${kind}s of ${domain}`}>
                    {count}
                </a>
            </td>
            <td>
                <Time at={firstAt} />
            </td>
            <td>
                <Time at={lastAt} />
            </td>
        </tr>
    );
}

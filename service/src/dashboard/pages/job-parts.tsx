import { describeBytes } from "@pulumi-static-export/contract";
import { isUnfinished, shownStatusOf } from "../../exports/site-job.js";
import { type Caller, mayUse, shownIdOf } from "../../http/protocol/caller.js";
import { type Answer } from "../../http/protocol/schemas.js";
import { Act, Foreign, formatDuration, type PageContext, Status, Table, Time } from "./parts.js";

/** An export or an update in a list. */
type JobAnswer = Answer<"StaticExportHistory">["jobs"][number];

export function Progress({ job }: { job: JobAnswer }) {
    const text = `${Math.round(job.progress)} %, ${job.pageCount} pages`;
    return (
        <>
            <progress max={100} value={job.progress} aria-label={`Progress of ${job.jobId}`} />{" "}
            <span class="progress-text">{text}</span>
        </>
    );
}

/** A job that somebody cancelled has not failed; until its worker stops, it runs. */
export function JobStatus({ job: { status, cancelled } }: { job: Pick<JobAnswer, "status" | "cancelled"> }) {
    return <Status of={status === "running" && cancelled === true ? "stopping" : shownStatusOf(status, cancelled)} />;
}

/** Whether a job is a failed export that a person may start again. */
export function mayExportAgain(
    caller: Caller,
    {
        jobId,
        status,
        cancelled,
        domain,
        previewOf,
    }: Pick<JobAnswer, "jobId" | "status" | "cancelled" | "domain" | "previewOf">,
): boolean {
    const hasFailed = shownStatusOf(status, cancelled) === "failed";
    return hasFailed && jobId.startsWith("se_") && mayUse(caller, "export", previewOf ?? domain);
}

export function jobPath({ jobId }: Pick<JobAnswer, "jobId">): string {
    return `/jobs/${encodeURIComponent(jobId)}`;
}

/** A form, because a damaged bundle is exported again. */
export function Download({ context, job }: { context: PageContext; job: Pick<JobAnswer, "jobId"> }) {
    return <Act context={context} action={`${jobPath(job)}/download`} title="Download the bundle" />;
}

interface JobTableProps {
    jobs: readonly JobAnswer[];
    context: PageContext;
    /** What screen readers call the table. */
    title?: string;
    /** The form to which the boxes of some jobs belong. */
    select?: { form: string; jobs: readonly JobAnswer[] };
}

export function JobTable({ jobs, context, title = "Jobs", select }: JobTableProps) {
    if (jobs.length === 0) {
        return <p class="soft">There are none.</p>;
    }
    return (
        <Table
            title={title}
            columns={["Status", "Job", "Started", "Took", "Pages", "Size", "By"]}
            numbers={["Took", "Pages", "Size"]}
        >
            {jobs.map((job) => (
                <tr {...(isUnfinished(job) ? { "data-job": job.jobId, "data-status": job.status } : {})}>
                    <td>
                        {select?.jobs.includes(job) === true ? (
                            <input
                                type="checkbox"
                                name="job"
                                value={job.jobId}
                                form={select.form}
                                aria-label={`Select ${job.jobId}`}
                            />
                        ) : null}
                        <JobStatus job={job} />
                    </td>
                    <td>
                        <a href={context.base + jobPath(job)}>
                            {job.domain} <code>{job.jobId}</code>
                        </a>
                        {job.version === null ? null : (
                            <>
                                {" "}
                                <Foreign text={job.version} limit={60} />
                            </>
                        )}
                        {job.sourceRef === undefined ? null : (
                            <>
                                {" "}
                                <Commit of={job} length={8} />
                            </>
                        )}
                        {job.error === undefined ? null : (
                            <div class="soft">
                                <Foreign text={job.error} limit={160} />
                            </div>
                        )}
                    </td>
                    <td>
                        <Time at={job.createdAt} />
                    </td>
                    <td class="end">{isUnfinished(job) ? "" : formatDuration(durationOf(job))}</td>
                    <td class="end">{job.status === "running" ? <Progress job={job} /> : job.pageCount}</td>
                    <td class="end">{job.sizeBytes === null ? "" : describeBytes(job.sizeBytes)}</td>
                    <td>
                        <Starter of={job.key} />
                    </td>
                </tr>
            ))}
        </Table>
    );
}

/** A mark for each outcome, so that nobody needs its colour. */
const outcomeMarks: Readonly<Record<string, string>> = {
    completed: "✓",
    failed: "✕",
    cancelled: "–",
    queued: "·",
    running: "·",
};

/** How the newest jobs ended, the newest last, each with a link. */
export function Outcomes({ jobs, context }: Pick<JobTableProps, "jobs" | "context">) {
    return (
        <ol class="outcomes" aria-label="Outcomes of the newest exports, the newest last">
            {jobs.toReversed().map((job) => {
                const status = shownStatusOf(job.status, job.cancelled);
                const title = `${status}: ${job.jobId} of ${job.createdAt.slice(0, 16).replace("T", " ")} UTC`;
                return (
                    <li>
                        <a
                            class={`status ${status}`}
                            href={context.base + jobPath(job)}
                            title={title}
                            aria-label={title}
                        >
                            {outcomeMarks[status]}
                        </a>
                    </li>
                );
            })}
        </ol>
    );
}

interface CommitProps {
    of: { sourceRef?: string; commitUrl?: string };
    /** How many digits it shows. @default all */
    length?: number;
}

/** A commit, which links to its page if the forge is known. */
export function Commit({ of: { sourceRef = "", commitUrl }, length }: CommitProps) {
    const shown = <code class={length === undefined ? undefined : "short"}>{sourceRef.slice(0, length)}</code>;
    return commitUrl === undefined ? (
        shown
    ) : (
        <a href={commitUrl} rel="noreferrer" aria-label={`Commit ${sourceRef.slice(0, 8)} on its forge`}>
            {shown}
        </a>
    );
}

/** Who started a job. The id follows a chosen name, so that no name imitates another one. */
export function Starter({ of: { id, name } }: { of: JobAnswer["key"] }) {
    const shownId = shownIdOf(id);
    const isNamed = shownId !== name && id !== "service" && id !== "webhook";
    return (
        <>
            <Foreign text={name} limit={80} /> {isNamed ? <code class="soft">{shownId}</code> : null}
        </>
    );
}

export function durationOf({ createdAt, updatedAt }: JobAnswer): number {
    return Date.parse(updatedAt) - Date.parse(createdAt);
}

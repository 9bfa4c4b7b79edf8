import { describeBytes } from "@pulumi-static-export/contract";
import { isUnfinished } from "../../exports/site-job.js";
import { type JobAnswer } from "../../http/operator-routes/job-answers.js";
import { Foreign, formatDuration, type PageContext, Status, Time } from "./parts.js";

export interface JobList {
    jobs: JobAnswer[];
    next: string | null;
}

export function Progress({ job }: { job: JobAnswer }) {
    const text = `${Math.round(job.progress)} %, ${job.pageCount} pages`;
    return (
        <>
            <progress max={100} value={job.progress} aria-label={`Progress of ${job.jobId}`} />{" "}
            <span class="progress-text">{text}</span>
        </>
    );
}

export function jobPath({ jobId }: Pick<JobAnswer, "jobId">): string {
    return `/jobs/${encodeURIComponent(jobId)}`;
}

interface JobTableProps {
    jobs: readonly JobAnswer[];
    context: PageContext;
    /** What screen readers call the table. */
    title?: string;
}

export function JobTable({ jobs, context, title = "Jobs" }: JobTableProps) {
    if (jobs.length === 0) {
        return <p class="soft">There are none.</p>;
    }
    return (
        <div class="scroll" tabIndex={0} role="region" aria-label={title}>
            <table>
                <thead>
                    <tr>
                        <th>Status</th>
                        <th>Job</th>
                        <th>Started</th>
                        <th class="end">Took</th>
                        <th class="end">Pages</th>
                        <th class="end">Size</th>
                        <th>By</th>
                    </tr>
                </thead>
                <tbody>
                    {jobs.map((job) => (
                        <tr {...(isUnfinished(job) ? { "data-job": job.jobId, "data-status": job.status } : {})}>
                            <td>
                                <Status of={job.status} />
                            </td>
                            <td>
                                <a href={context.base + jobPath(job)}>{job.domain}</a>
                                {job.version === null ? null : (
                                    <>
                                        {" "}
                                        <Foreign text={job.version} limit={60} />
                                    </>
                                )}
                                {job.sourceRef === undefined ? null : (
                                    <>
                                        {" "}
                                        <code>{job.sourceRef.slice(0, 8)}</code>
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
                                <Foreign text={job.key.name} limit={80} />
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

export function durationOf({ createdAt, updatedAt }: JobAnswer): number {
    return Date.parse(updatedAt) - Date.parse(createdAt);
}

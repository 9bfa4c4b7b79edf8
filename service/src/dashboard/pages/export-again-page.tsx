import { amount } from "@pulumi-static-export/contract";
import { type Answer } from "../../http/protocol/schemas.js";
import { jobPath } from "./job-parts.js";
import { Csrf, Foreign, Layout, Once, type PageContext } from "./parts.js";

export type RepeatedJob = Pick<Answer<"JobDetails">, "jobId" | "domain" | "version">;

interface ExportAgainPageProps {
    context: PageContext;
    /** One for each input. */
    jobs: readonly RepeatedJob[];
    /** Whether others were asked for, too. */
    hasMore: boolean;
}

/** Asks before many exports start. */
export function ExportAgainPage({ context, jobs, hasMore }: ExportAgainPageProps) {
    const count = amount(jobs.length, "export", "exports");
    return (
        <Layout title="Export again" context={context} section="/jobs">
            <h1>{jobs.length === 0 ? "There is nothing to export again" : `Start ${count} again?`}</h1>
            {jobs.length === 0 ? <p>None of these jobs is a failed export that you may start.</p> : null}
            {jobs.length > 1 ? <p>Those for which the queue has no room can start later.</p> : null}
            {hasMore ? <p>These are the newest ones. Repeat this for the others afterwards.</p> : null}
            <ul>
                {jobs.map((job) => (
                    <li>
                        <a href={context.base + jobPath(job)}>
                            {job.domain} <code>{job.jobId}</code>
                        </a>{" "}
                        {job.version === null ? null : <Foreign text={job.version} limit={60} />}
                    </li>
                ))}
            </ul>
            {jobs.length === 0 ? (
                <a class="button" href={`${context.base}/jobs`}>
                    All exports
                </a>
            ) : (
                <StartForm context={context} jobs={jobs.map(({ jobId }) => jobId)} button={`Start ${count}`} />
            )}
        </Layout>
    );
}

/** The jobs that did not start for one reason. */
export interface Refusal {
    reason: string;
    /** Whether the reason stays, unlike a full queue. */
    isFinal: boolean;
    jobs: readonly string[];
}

interface ExportedAgainPageProps {
    context: PageContext;
    started: number;
    refusals: readonly Refusal[];
}

/** Says which exports did not start, and starts those again that may start later. */
export function ExportedAgainPage({ context, started, refusals }: ExportedAgainPageProps) {
    const refused = refusals.reduce((sum, { jobs }) => sum + jobs.length, 0);
    const later = refusals.filter(({ isFinal }) => !isFinal).flatMap(({ jobs }) => jobs);
    return (
        <Layout title="Export again" context={context} section="/jobs">
            <h1>
                {amount(started, "export", "exports")} started, {refused} refused
            </h1>
            {refusals.map(({ reason, jobs }) => (
                <div class="note danger" role="alert">
                    <p>
                        {amount(jobs.length, "export", "exports")}: <Foreign text={reason} limit={500} />
                    </p>
                    <details>
                        <summary>Jobs</summary>
                        <ul>
                            {jobs.map((jobId) => (
                                <li>
                                    <a href={context.base + jobPath({ jobId })}>{jobId}</a>
                                </li>
                            ))}
                        </ul>
                    </details>
                </div>
            ))}
            {later.length === 0 ? (
                <a class="button" href={`${context.base}/jobs`}>
                    All exports
                </a>
            ) : (
                <StartForm
                    context={context}
                    jobs={later}
                    button={`Try ${amount(later.length, "export", "exports")} again`}
                />
            )}
        </Layout>
    );
}

function StartForm({ context, jobs, button }: { context: PageContext; jobs: readonly string[]; button: string }) {
    const path = `${context.base}/jobs`;
    return (
        <form method="post" action={`${path}/again`}>
            <Csrf context={context} />
            <Once />
            {jobs.map((jobId) => (
                <input type="hidden" name="job" value={jobId} />
            ))}
            <div class="acts">
                <button class="main">{button}</button>
                <a class="button" href={path}>
                    Leave them
                </a>
            </div>
        </form>
    );
}

import { amount } from "@pulumi-static-export/contract";
import { type Answer } from "../../http/protocol/schemas.js";
import { jobPath } from "./job-parts.js";
import { Csrf, Foreign, Layout, Once, type PageContext } from "./parts.js";

interface ExportAgainPageProps {
    context: PageContext;
    /** One for each input. */
    jobs: readonly Answer<"JobDetails">[];
    /** How many failed exports have these inputs. */
    of: number;
    /** Whether others were asked for, too. */
    hasMore: boolean;
}

/** Asks before many exports start. */
export function ExportAgainPage({ context, jobs, of, hasMore }: ExportAgainPageProps) {
    const path = `${context.base}/jobs`;
    const count = amount(jobs.length, "export", "exports");
    return (
        <Layout title="Export again" context={context} section="/jobs">
            <h1>{jobs.length === 0 ? "There is nothing to export again" : `Start ${count} again?`}</h1>
            {jobs.length === 0 ? <p>None of these jobs is a failed export that you may start.</p> : null}
            {of > jobs.length ? (
                <p>{amount(of, "failed job has", "failed jobs have")} these inputs: each input is exported once.</p>
            ) : null}
            {hasMore ? <p>These are the newest ones. Repeat this for the others afterwards.</p> : null}
            <ul>
                {jobs.map((job) => (
                    <li>
                        <a href={context.base + jobPath(job)}>{job.domain}</a>{" "}
                        {job.version === null ? null : <Foreign text={job.version} limit={60} />}{" "}
                        {job.paths === null ? null : (
                            <span class="soft">{amount(job.paths.length, "requested path", "requested paths")}</span>
                        )}
                    </li>
                ))}
            </ul>
            <form method="post" action={`${path}/again`}>
                <Csrf context={context} />
                <Once />
                {jobs.map(({ jobId }) => (
                    <input type="hidden" name="job" value={jobId} />
                ))}
                <div class="acts">
                    {jobs.length === 0 ? null : <button class="main">Start {count}</button>}
                    <a class="button" href={path}>
                        {jobs.length === 0 ? "All exports" : "Leave them"}
                    </a>
                </div>
            </form>
        </Layout>
    );
}

interface ExportedAgainPageProps {
    context: PageContext;
    started: number;
    refused: readonly { jobId: string; reason: string }[];
}

/** Says which exports could not start. */
export function ExportedAgainPage({ context, started, refused }: ExportedAgainPageProps) {
    return (
        <Layout title="Export again" context={context} section="/jobs">
            <h1>
                {amount(started, "export", "exports")} started, {refused.length} refused
            </h1>
            <div class="note danger" role="alert">
                <ul>
                    {refused.map(({ jobId, reason }) => (
                        <li>
                            <a href={context.base + jobPath({ jobId })}>{jobId}</a>:{" "}
                            <Foreign text={reason} limit={500} />
                        </li>
                    ))}
                </ul>
            </div>
            <p>
                <a href={`${context.base}/jobs`}>All exports</a>
            </p>
        </Layout>
    );
}

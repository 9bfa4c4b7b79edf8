import { isUnfinished } from "../../exports/static-export-job.js";
import { type CommitDetails } from "../../exports/commit-details.js";
import { mayUse } from "../../http/protocol/caller.js";
import { type JobAnswer } from "../../http/operator-routes/job-answers.js";
import { type JobList, jobPath, JobTable, Progress } from "./job-parts.js";
import { type Warnings, WarningList } from "./warning-list.js";
import {
    Act,
    Foreign,
    formatBytes,
    formatDuration,
    Layout,
    NextPage,
    type PageContext,
    readable,
    Status,
    Time,
    withQuery,
} from "./parts.js";

export interface JobDetailsAnswer extends JobAnswer {
    paths: string[] | null;
    worker: string | null;
    attempts: number;
    cancellation?: string;
    commit?: CommitDetails;
    phases: { name: string; startedAt: string; durationMs: number }[];
    log: { at: string; attempt: number; message: string }[];
}

const statuses = ["queued", "running", "completed", "failed"];

interface JobsPageProps {
    context: PageContext;
    kind: "export" | "update";
    list: JobList;
    query: Readonly<Record<string, string | undefined>>;
}

export function JobsPage({ context, kind, list, query }: JobsPageProps) {
    const section = kind === "export" ? "/jobs" : "/updates";
    const title = kind === "export" ? "Exports" : "Documentation updates";
    const path = context.base + section;
    const { status, since, until, key, domain } = query;
    return (
        <Layout title={title} context={context} section={section} isLive>
            <h1>{title}</h1>
            <form class="search" role="search" action={path}>
                <label>
                    Status
                    <select name="status">
                        <option value="">any</option>
                        {statuses.map((each) => (
                            <option value={each} selected={each === status}>
                                {each}
                            </option>
                        ))}
                    </select>
                </label>
                <label>
                    Domain
                    <input name="domain" value={domain ?? ""} />
                </label>
                <label>
                    Key (its id, webhook or service)
                    <input name="key" value={key ?? ""} />
                </label>
                <label>
                    From (day, UTC)
                    <input type="date" name="since" value={since ?? ""} />
                </label>
                <label>
                    Until (day, UTC)
                    <input type="date" name="until" value={until ?? ""} />
                </label>
                <button>Filter</button>
            </form>
            <JobTable jobs={list.jobs} context={context} />
            <NextPage href={list.next === null ? undefined : withQuery(path, { ...query, cursor: list.next })} />
        </Layout>
    );
}

interface JobPageProps {
    context: PageContext;
    job: JobDetailsAnswer;
    warnings: Warnings | undefined;
}

export function JobPage({ context, job, warnings }: JobPageProps) {
    const { base, caller } = context;
    const isExport = job.jobId.startsWith("se_");
    const mayCancel = isUnfinished(job) && isExport && mayUse(caller, "export", job.previewOf ?? job.domain);
    const live = isUnfinished(job) ? { "data-job": job.jobId, "data-status": job.status } : {};
    return (
        <Layout title={job.jobId} context={context} section={isExport ? "/jobs" : "/updates"}>
            <p class="trail">
                <a href={`${base}/sites/${encodeURIComponent(job.previewOf ?? job.domain)}`}>
                    {job.previewOf ?? job.domain}
                </a>
            </p>
            <div class="head" {...live}>
                <div>
                    <h1>
                        {isExport ? "Export" : "Update"} of {job.domain}
                    </h1>
                    <p>
                        <Status of={job.status} /> <code>{job.jobId}</code>{" "}
                        {job.status === "running" ? <Progress job={job} /> : null}
                    </p>
                </div>
                <div class="acts">
                    {job.status === "completed" && isExport ? (
                        <>
                            <a class="button" href={`${base}${jobPath(job)}/open`}>
                                Open the site
                            </a>
                            <a class="button" href={`${base}${jobPath(job)}/changes`}>
                                What changed
                            </a>
                            <a class="button" href={`${base}${jobPath(job)}/download`}>
                                Download the bundle
                            </a>
                        </>
                    ) : null}
                    {mayCancel ? (
                        <Act context={context} action={`${jobPath(job)}/cancel`} title="Cancel" look="danger" />
                    ) : null}
                </div>
            </div>
            {job.error === undefined ? null : (
                <div class="note danger" role="alert">
                    <strong>Why it failed</strong>
                    <p>
                        <Foreign text={job.error} />
                    </p>
                </div>
            )}
            <dl class="facts">
                <dt>Started</dt>
                <dd>
                    <Time at={job.createdAt} /> by <Foreign text={job.key.name} limit={200} />
                </dd>
                {isUnfinished(job) ? null : (
                    <>
                        <dt>Ended</dt>
                        <dd>
                            <Time at={job.updatedAt} />
                        </dd>
                    </>
                )}
                {job.version === null ? null : (
                    <>
                        <dt>Version</dt>
                        <dd>
                            <Foreign text={job.version} />
                        </dd>
                    </>
                )}
                {job.sourceRef === undefined ? null : (
                    <>
                        <dt>Commit</dt>
                        <dd>
                            <code>{job.sourceRef}</code>
                        </dd>
                    </>
                )}
                {job.commit === undefined ? null : (
                    <>
                        <dt>Author</dt>
                        <dd>
                            <Foreign text={job.commit.author} />
                        </dd>
                        <dt>Message</dt>
                        <dd>
                            <Foreign text={job.commit.message} />
                        </dd>
                    </>
                )}
                <dt>Pages</dt>
                <dd>{job.pageCount}</dd>
                {job.paths === null ? null : (
                    <>
                        <dt>Requested paths</dt>
                        <dd>
                            <Foreign text={job.paths.join(", ")} limit={2000} />
                        </dd>
                    </>
                )}
                {job.sizeBytes === null ? null : (
                    <>
                        <dt>Bundle</dt>
                        <dd>{formatBytes(job.sizeBytes)}</dd>
                    </>
                )}
                <dt>Attempts</dt>
                <dd>
                    {job.attempts}
                    {job.worker === null ? "" : `, the last on ${job.worker}`}
                </dd>
            </dl>
            {job.phases.length === 0 ? null : (
                <>
                    <h2>Steps</h2>
                    <div class="bars">
                        {job.phases.map(({ name, durationMs }) => (
                            <>
                                <span>{name}</span>
                                <meter
                                    aria-label={name}
                                    max={Math.max(1, ...job.phases.map((phase) => phase.durationMs))}
                                    value={durationMs}
                                />
                                <span>{formatDuration(durationMs)}</span>
                            </>
                        ))}
                    </div>
                </>
            )}
            {job.status === "completed" && isExport ? (
                <>
                    <h2>Serve this export again</h2>
                    <p>
                        With a mirror that keeps earlier exports and reads its pin from the stack&apos;s configuration:
                    </p>
                    <pre tabIndex={0}>{`pulumi config set pin ${job.jobId}\npulumi up`}</pre>
                </>
            ) : null}
            <ChangedPaths files={job.commit?.filesChanged} />
            <WarningList warnings={warnings} />
            <h2>Log (times in UTC)</h2>
            {job.log.length === 0 ? (
                <p class="soft">There is no log yet.</p>
            ) : (
                <pre tabIndex={0} class="foreign">
                    {job.log.map(({ at, message }) => `${at.slice(11, 19)} ${readable(message, 2000)}`).join("\n")}
                </pre>
            )}
        </Layout>
    );
}

function ChangedPaths({ files }: { files: CommitDetails["filesChanged"] }) {
    const lines = Object.entries(files ?? {}).flatMap(([change, paths]) =>
        (paths as string[]).map((path) => `${change} ${path}`),
    );
    return lines.length === 0 ? null : (
        <>
            <h2>Changed paths</h2>
            <pre tabIndex={0} class="foreign">
                {readable(lines.join("\n"))}
            </pre>
        </>
    );
}

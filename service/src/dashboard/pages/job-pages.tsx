import { describeBytes } from "@pulumi-static-export/contract";
import { type ComponentChild } from "preact";
import { isUnfinished } from "../../exports/site-job.js";
import { type CommitDetails } from "../../exports/commit-details.js";
import { mayUse } from "../../http/protocol/caller.js";
import { type JobAnswer } from "../../http/operator-routes/job-answers.js";
import { type JobList, jobPath, JobTable, Progress } from "./job-parts.js";
import { type Warnings, WarningList } from "./warning-list.js";
import {
    Act,
    Foreign,
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
    const isExport = job.jobId.startsWith("se_");
    return (
        <Layout title={job.jobId} context={context} section={isExport ? "/jobs" : "/updates"}>
            <JobHead context={context} job={job} isExport={isExport} />
            {job.error === undefined ? null : (
                <div class="note danger" role="alert">
                    <strong>Why it failed</strong>
                    <p>
                        <Foreign text={job.error} />
                    </p>
                </div>
            )}
            <JobFacts job={job} />
            <Steps phases={job.phases} />
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

/** The title of a job's page, and what people can do with the job. */
function JobHead({ context, job, isExport }: Omit<JobPageProps, "warnings"> & { isExport: boolean }) {
    const { base, caller } = context;
    const domain = job.previewOf ?? job.domain;
    const mayCancel = isUnfinished(job) && isExport && mayUse(caller, "export", domain);
    const live = isUnfinished(job) ? { "data-job": job.jobId, "data-status": job.status } : {};
    const acts = job.status === "completed" && isExport ? exportActs : [];
    return (
        <>
            <p class="trail">
                <a href={`${base}/sites/${encodeURIComponent(domain)}`}>{domain}</a>
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
                    {acts.map(([name, title]) => (
                        <a class="button" href={`${base}${jobPath(job)}/${name}`}>
                            {title}
                        </a>
                    ))}
                    {mayCancel ? (
                        <Act context={context} action={`${jobPath(job)}/cancel`} title="Cancel" look="danger" />
                    ) : null}
                </div>
            </div>
        </>
    );
}

const exportActs = [
    ["open", "Open the site"],
    ["changes", "What changed"],
    ["download", "Download the bundle"],
] as const;

function JobFacts({ job }: { job: JobDetailsAnswer }) {
    const { version, sourceRef, commit, paths, sizeBytes, worker } = job;
    return (
        <dl class="facts">
            <dt>Started</dt>
            <dd>
                <Time at={job.createdAt} /> by <Foreign text={job.key.name} limit={200} />
            </dd>
            {fact("Ended", isUnfinished(job) ? null : <Time at={job.updatedAt} />)}
            {fact("Version", version === null ? null : <Foreign text={version} />)}
            {fact("Commit", sourceRef === undefined ? null : <code>{sourceRef}</code>)}
            {fact("Author", commit === undefined ? null : <Foreign text={commit.author} />)}
            {fact("Message", commit === undefined ? null : <Foreign text={commit.message} />)}
            {fact("Pages", job.pageCount)}
            {fact("Requested paths", paths === null ? null : <Foreign text={paths.join(", ")} limit={2000} />)}
            {fact("Bundle", sizeBytes === null ? null : describeBytes(sizeBytes))}
            <dt>Attempts</dt>
            <dd>
                {job.attempts}
                {worker === null ? "" : `, the last on ${worker}`}
            </dd>
        </dl>
    );
}

function fact(name: string, value: ComponentChild) {
    return value === null ? null : (
        <>
            <dt>{name}</dt>
            <dd>{value}</dd>
        </>
    );
}

function Steps({ phases }: Pick<JobDetailsAnswer, "phases">) {
    return phases.length === 0 ? null : (
        <>
            <h2>Steps</h2>
            <div class="bars">
                {phases.map(({ name, durationMs }) => (
                    <>
                        <span>{name}</span>
                        <meter
                            aria-label={name}
                            max={Math.max(1, ...phases.map((phase) => phase.durationMs))}
                            value={durationMs}
                        />
                        <span>{formatDuration(durationMs)}</span>
                    </>
                ))}
            </div>
        </>
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

import { describeBytes } from "@pulumi-static-export/contract";
import { type ComponentChild } from "preact";
import { isUnfinished, shownStatusOf } from "../../exports/site-job.js";
import { mayUse } from "../../http/protocol/caller.js";
import { type Answer } from "../../http/protocol/schemas.js";
import { Commit, Download, jobPath, JobStatus, Progress, Starter } from "./job-parts.js";
import { FormError, type Refused } from "./key-fields.js";
import { WarningList } from "./warning-list.js";
import { Act, Csrf, Foreign, formatDuration, Layout, type PageContext, Time } from "./parts.js";
import { readable } from "./shown-text.js";

interface JobPageProps {
    context: PageContext;
    job: Answer<"JobDetails">;
    warnings: Answer<"StaticExportJob">["warnings"];
}

export function JobPage({ context, job, warnings }: JobPageProps) {
    const isExport = job.jobId.startsWith("se_");
    return (
        <Layout
            title={`${isExport ? "Export" : "Update"} of ${job.domain}, ${job.jobId}`}
            context={context}
            section={isExport ? "/jobs" : "/updates"}
        >
            <JobHead context={context} job={job} isExport={isExport} />
            <Ending job={job} />
            <JobFacts context={context} job={job} />
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
            <Log href={`${context.base}${jobPath(job)}/log.txt`} lines={job.log} />
        </Layout>
    );
}

/** A page shows so many lines. */
const shownLines = 500;

/** The end of the log, which says how the job ended. */
function Log({ href, lines }: { href: string; lines: Answer<"JobDetails">["log"] }) {
    if (lines.length === 0) {
        return (
            <>
                <h2>Log</h2>
                <p class="soft">There is no log yet.</p>
            </>
        );
    }
    return (
        <>
            <h2>
                Log (<span data-zone="">UTC</span>)
            </h2>
            <p>
                {lines.length > shownLines ? `These are the last ${shownLines} of ${lines.length} lines. ` : ""}
                <a href={href}>The whole log as text</a>
            </p>
            <pre tabIndex={0} class="foreign">
                {lines.slice(-shownLines).map(({ at, message }) => [
                    <time dateTime={at} data-clock="">
                        {at.slice(11, 19)}
                    </time>,
                    ` ${readable(message, 2000)}\n`,
                ])}
            </pre>
        </>
    );
}

/** Why a job has no result, or will not have one. */
function Ending({ job }: { job: Answer<"JobDetails"> }) {
    const isCancelled = shownStatusOf(job.status, job.cancelled) === "cancelled";
    const text = job.error ?? (isUnfinished(job) ? job.cancellation : undefined);
    return text === undefined ? null : (
        <div class={`note ${isCancelled || isUnfinished(job) ? "warning" : "danger"}`} role="alert">
            {isCancelled ? null : <strong>{isUnfinished(job) ? "It stops" : "Why it failed"}</strong>}
            <p>
                <Foreign text={text} />
            </p>
        </div>
    );
}

/** The title of a job's page, and what people can do with the job. */
function JobHead({ context, job, isExport }: Omit<JobPageProps, "warnings"> & { isExport: boolean }) {
    const { base, caller } = context;
    const domain = job.previewOf ?? job.domain;
    const mayExport = isExport && mayUse(caller, "export", domain);
    const mayCancel = isUnfinished(job) && job.cancelled !== true && mayExport;
    // The page shows each new line of the log, and the place in the queue.
    const live = isUnfinished(job) ? { "data-job": job.jobId, "data-status": job.status, "data-moves": "" } : {};
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
                        <JobStatus job={job} /> <code>{job.jobId}</code>{" "}
                        {job.status === "running" ? <Progress job={job} /> : null}
                    </p>
                </div>
                <div class="acts">
                    {acts.map(([name, title]) => (
                        <a class="button" href={`${base}${jobPath(job)}/${name}`}>
                            {title}
                        </a>
                    ))}
                    {acts.length === 0 ? null : <Download context={context} job={job} />}
                    {job.status === "failed" && mayExport ? (
                        <Act context={context} action={`${jobPath(job)}/retry`} title="Export again" look="main" />
                    ) : null}
                    {mayCancel ? (
                        <a class="button danger" href={`${base}${jobPath(job)}/cancel`}>
                            Cancel
                        </a>
                    ) : null}
                </div>
            </div>
        </>
    );
}

const exportActs = [
    ["open", "Open the site"],
    ["changes", "What changed"],
] as const;

/** What a job waits for. */
function Waiting({ context, longer, all, behind }: { context: PageContext } & Waits) {
    return (
        <>
            {longer === 0 ? "No job has waited longer" : `${longer} of ${all} waiting jobs have waited longer`}. Keys
            and sites take turns.{" "}
            {behind === undefined ? null : (
                <a href={context.base + jobPath({ jobId: behind })}>The site's running export must end first.</a>
            )}
        </>
    );
}

type Waits = NonNullable<Answer<"JobDetails">["waiting"]>;

function JobFacts({ context, job }: Pick<JobPageProps, "context" | "job">) {
    const { version, sourceRef, commit, paths, sizeBytes, worker } = job;
    return (
        <dl class="facts">
            <dt>Started</dt>
            <dd>
                <Time at={job.createdAt} /> by <Starter of={job.key} />
            </dd>
            {fact("In the queue", job.waiting === undefined ? null : <Waiting context={context} {...job.waiting} />)}
            {fact("Ended", isUnfinished(job) ? null : <Time at={job.updatedAt} />)}
            {fact("Version", version === null ? null : <Foreign text={version} />)}
            {fact("Commit", sourceRef === undefined ? null : <Commit of={job} />)}
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

function Steps({ phases }: Pick<Answer<"JobDetails">, "phases">) {
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

function ChangedPaths({ files }: { files: NonNullable<Answer<"JobDetails">["commit"]>["filesChanged"] }) {
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

interface CancelJobPageProps {
    context: PageContext;
    job: Answer<"JobDetails">;
    refused?: Refused<{ reason: string }>;
}

/** Asks before a job is cancelled. */
export function CancelJobPage({ context, job, refused }: CancelJobPageProps) {
    const path = jobPath(job);
    const error = new FormError(refused?.error, { reason: "reason" });
    return (
        <Layout title={`Cancel ${job.jobId}`} context={context} section="/jobs">
            <h1>Cancel the export of {job.domain}?</h1>
            <p>
                <JobStatus job={job} /> <code>{job.jobId}</code>, started by <Starter of={job.key} /> at{" "}
                <Time at={job.createdAt} />. Clients that wait for the job get an error.
            </p>
            <form class="form" method="post" action={`${context.base}${path}/cancel`}>
                <Csrf context={context} />
                <label class="wide">
                    Reason, shown on the job's page and in its error
                    <input name="reason" maxLength={300} value={refused?.values.reason} {...error.about("reason")} />
                    {error.at("reason")}
                </label>
                <div class="wide acts">
                    <button class="danger">Cancel the export</button>
                    <a class="button" href={context.base + path}>
                        Let it run
                    </a>
                </div>
            </form>
        </Layout>
    );
}

import { type Answer } from "../../http/protocol/schemas.js";
import { FormError, type Refused } from "./key-fields.js";
import { Act, Csrf, Foreign, Layout, Once, type PageContext, Pages, Status, Table, Time } from "./parts.js";
import { TerminalText } from "./shown-text.js";

/** A prompt, as somebody has typed it. */
export interface PromptValues {
    project: string;
    prompt: string;
}

interface AgentJobsPageProps {
    context: PageContext;
    list: Answer<"AgentJobList">;
    /** The projects in which the person may start jobs. */
    projects: readonly string[];
    refused?: Refused<PromptValues> | undefined;
}

export function agentJobPath(projectId: string, id: string): string {
    return `/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}`;
}

export function AgentJobsPage({ context, list, projects, refused }: AgentJobsPageProps) {
    const path = `${context.base}/agent-jobs`;
    const error = promptErrorOf(refused);
    return (
        <Layout title="Agent jobs" context={context} section="/agent-jobs">
            <h1>Agent jobs</h1>
            {list.jobs.length === 0 ? <p class="soft">There are none.</p> : null}
            {list.jobs.length === 0 ? null : (
                <Table
                    title="Agent jobs"
                    columns={["Status", "Prompt", "Project", "Branch", "Started", "Pull request"]}
                >
                    {list.jobs.map((job) => (
                        <tr>
                            <td>
                                <Status of={job.status} />
                            </td>
                            <td>
                                <a href={context.base + agentJobPath(job.projectId, job.id)}>
                                    <Foreign text={job.prompt || job.id} limit={120} />
                                </a>
                            </td>
                            <td>{job.projectId}</td>
                            <td>
                                <Foreign text={job.ref ?? ""} limit={200} />
                            </td>
                            <td>
                                <Time at={job.createdAt} />
                            </td>
                            <td>
                                <PullRequest link={job.prLink} />
                            </td>
                        </tr>
                    ))}
                </Table>
            )}
            <Pages context={context} path="/agent-jobs" next={list.next} />
            {/* A person who lacks the right has no form, but may have sent one from a page that is older. */}
            {error.at()}
            {projects.length > 0 && context.caller.scopes.includes("agent") ? (
                <>
                    <h2>Start an agent job</h2>
                    <form class="form" method="post" action={path}>
                        <Csrf context={context} />
                        <Once />
                        <label>
                            Project
                            <select name="project">
                                {projects.map((id) => (
                                    <option selected={id === refused?.values.project}>{id}</option>
                                ))}
                            </select>
                        </label>
                        <PromptField title="Prompt" refused={refused} />
                        <div class="wide">
                            <button class="main">Start</button>
                        </div>
                    </form>
                </>
            ) : null}
        </Layout>
    );
}

function promptErrorOf(refused: Refused<PromptValues> | undefined): FormError {
    return new FormError(refused?.error, { prompt: "prompt" });
}

function PromptField({ title, refused }: { title: string; refused: Refused<PromptValues> | undefined }) {
    const error = promptErrorOf(refused);
    return (
        <label class="wide">
            {title}
            <textarea
                name="prompt"
                rows={4}
                maxLength={100_000}
                required
                value={refused?.values.prompt}
                {...error.about("prompt")}
            />
            {error.at("prompt")}
        </label>
    );
}

/** Links only to web addresses, because forges and agents are not trusted. */
function PullRequest({ link }: { link: string | null }) {
    if (link === null) {
        return null;
    }
    return /^https?:\/\//.test(link) ? (
        <a href={link} rel="noreferrer">
            <Foreign text={link} limit={200} />
        </a>
    ) : (
        <Foreign text={link} limit={200} />
    );
}

interface AgentJobPageProps {
    context: PageContext;
    projectId: string;
    job: Answer<"AgentJob">;
    log: Answer<"AgentJobLog">;
    refused?: Refused<PromptValues> | undefined;
}

export function AgentJobPage({ context, projectId, job, log, refused }: AgentJobPageProps) {
    const path = agentJobPath(projectId, job.id);
    const mayAct = context.caller.scopes.includes("agent") && job.status !== "archived";
    return (
        <Layout title={`Agent job of ${projectId}, ${job.id}`} context={context} section="/agent-jobs">
            <p class="trail">
                <a href={`${context.base}/agent-jobs`}>Agent jobs</a>
            </p>
            <div class="head">
                <div>
                    <h1>Agent job of {projectId}</h1>
                    <p>
                        <Status of={job.status} /> <code>{job.id}</code>
                    </p>
                </div>
                <div class="acts">
                    {mayAct ? (
                        <Act
                            context={context}
                            action={`${path}/archive`}
                            title={job.status === "active" ? "Cancel and archive" : "Archive"}
                            look="danger"
                        />
                    ) : null}
                </div>
            </div>
            <dl class="facts">
                <dt>Repository</dt>
                <dd>
                    <Foreign text={job.source.repository} />
                </dd>
                <dt>Branch</dt>
                <dd>
                    <Foreign text={job.source.ref ?? "the agent chooses one"} />
                </dd>
                <dt>Pull request</dt>
                <dd>{job.prLink === null ? <span class="soft">none yet</span> : <PullRequest link={job.prLink} />}</dd>
                <dt>Model</dt>
                <dd>
                    <Foreign text={job.model} />
                </dd>
                <dt>Started</dt>
                <dd>
                    <Time at={job.createdAt} />
                </dd>
            </dl>
            <h2>Messages</h2>
            {log.prompts.map(({ prompt, state, createdAt }) => (
                <div class="card">
                    <p class="soft">
                        <Time at={createdAt} /> · {state}
                    </p>
                    <p class="lines">
                        <Foreign text={prompt} limit={20_000} />
                    </p>
                </div>
            ))}
            {promptErrorOf(refused).at()}
            {mayAct ? (
                <form class="form" method="post" action={`${context.base}${path}/message`}>
                    <Csrf context={context} />
                    <Once />
                    <PromptField title="Send a message" refused={refused} />
                    <div class="wide">
                        <button>Send</button>
                    </div>
                </form>
            ) : refused === undefined ? null : (
                <p class="card lines">
                    <Foreign text={refused.values.prompt} limit={100_000} />
                </p>
            )}
            <Log href={`${context.base}${path}/log`} log={log} isActive={job.status === "active"} />
        </Layout>
    );
}

/** The end of the log, which says how the job ended. */
function Log({ href, log, isActive }: { href: string; log: Answer<"AgentJobLog">; isActive: boolean }) {
    const live = isActive ? { "data-log": href, "data-from": String(log.next) } : {};
    return (
        <>
            <h2>Log</h2>
            {log.isStored ? (
                <p>
                    {log.from > 0 ? "These are the last lines. " : ""}
                    <a href={`${href}.txt`}>The whole log as text</a>
                </p>
            ) : null}
            {log.isStored || isActive ? (
                <pre tabIndex={0} class="foreign" {...live}>
                    <TerminalText text={log.text} />
                </pre>
            ) : (
                <p class="soft">The log is on the agent's worker, or was removed.</p>
            )}
        </>
    );
}

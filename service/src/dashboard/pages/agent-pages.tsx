import { randomUUID } from "node:crypto";
import { Act, Csrf, Foreign, Layout, NextPage, type PageContext, readable, Status, Time, withQuery } from "./parts.js";

export interface AgentJobRecord {
    id: string;
    projectId: string;
    status: string;
    repository: string;
    ref: string | null;
    prompt: string;
    prLink: string | null;
    createdAt: string;
}

export interface AgentLogAnswer {
    prompts: { prompt: string; state: string; createdAt: string }[];
    text: string;
    next: number;
    isStored: boolean;
}

export interface AgentJobAnswer {
    id: string;
    status: string;
    source: { repository: string; ref: string | null };
    model: string;
    prLink: string | null;
    createdAt: string;
}

interface AgentJobsPageProps {
    context: PageContext;
    list: { jobs: AgentJobRecord[]; next: string | null };
    /** The projects in which the person may start jobs. */
    projects: readonly string[];
}

export function agentJobPath(projectId: string, id: string): string {
    return `/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}`;
}

export function AgentJobsPage({ context, list, projects }: AgentJobsPageProps) {
    const path = `${context.base}/agent-jobs`;
    return (
        <Layout title="Agent jobs" context={context} section="/agent-jobs">
            <h1>Agent jobs</h1>
            {list.jobs.length === 0 ? <p class="soft">There are none.</p> : null}
            {list.jobs.length === 0 ? null : (
                <div class="scroll" tabIndex={0} role="region" aria-label="Agent jobs">
                    <table>
                        <thead>
                            <tr>
                                <th>Status</th>
                                <th>Prompt</th>
                                <th>Project</th>
                                <th>Branch</th>
                                <th>Started</th>
                                <th>Pull request</th>
                            </tr>
                        </thead>
                        <tbody>
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
                        </tbody>
                    </table>
                </div>
            )}
            <NextPage href={list.next === null ? undefined : withQuery(path, { cursor: list.next })} />
            {projects.length > 0 && context.caller.scopes.includes("agent") ? (
                <>
                    <h2>Start an agent job</h2>
                    <form class="form" method="post" action={path}>
                        <Csrf context={context} />
                        <input type="hidden" name="request" value={randomUUID()} />
                        <label>
                            Project
                            <select name="project">
                                {projects.map((id) => (
                                    <option>{id}</option>
                                ))}
                            </select>
                        </label>
                        <PromptField title="Prompt" />
                        <div class="wide">
                            <button class="main">Start</button>
                        </div>
                    </form>
                </>
            ) : null}
        </Layout>
    );
}

function PromptField({ title }: { title: string }) {
    return (
        <label class="wide">
            {title}
            <textarea name="prompt" rows={4} maxLength={100_000} required />
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
    job: AgentJobAnswer;
    log: AgentLogAnswer;
}

export function AgentJobPage({ context, projectId, job, log }: AgentJobPageProps) {
    const path = agentJobPath(projectId, job.id);
    const mayAct = context.caller.scopes.includes("agent") && job.status !== "archived";
    const live =
        job.status === "active" ? { "data-log": `${context.base}${path}/log`, "data-from": String(log.next) } : {};
    return (
        <Layout title={job.id} context={context} section="/agent-jobs">
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
                    <p>
                        <Foreign text={prompt} limit={20_000} />
                    </p>
                </div>
            ))}
            {mayAct ? (
                <form class="form" method="post" action={`${context.base}${path}/message`}>
                    <Csrf context={context} />
                    <input type="hidden" name="request" value={randomUUID()} />
                    <PromptField title="Send a message" />
                    <div class="wide">
                        <button>Send</button>
                    </div>
                </form>
            ) : null}
            <h2>Log</h2>
            {log.isStored || job.status === "active" ? (
                <pre tabIndex={0} class="foreign" {...live}>
                    {readable(log.text)}
                </pre>
            ) : (
                <p class="soft">The log is on the agent's worker, or was removed.</p>
            )}
        </Layout>
    );
}

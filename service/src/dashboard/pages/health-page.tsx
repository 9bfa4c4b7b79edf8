import { describeBytes } from "@pulumi-static-export/contract";
import { type Answer } from "../../http/protocol/schemas.js";
import { describeLimit } from "../../processes/run-bounds.js";
import { type limitTable } from "../../options/option-table.js";
import { Layout, type PageContext, Table, Time } from "./parts.js";

interface HealthPageProps {
    context: PageContext;
    /** Undefined for a person who may see only some sites. */
    service: Answer<"ServiceState"> | undefined;
    workers: Answer<"Workers">["workers"];
    usage: Answer<"Usage">;
}

/** The name and the unit of each limit. */
const limitTitles: Readonly<Record<Exclude<keyof typeof limitTable, "exportCores">, readonly [string, string]>> = {
    concurrency: ["Number of exports that run at the same time in each process", ""],
    linkTtlSeconds: ["A bundle link works for", "seconds"],
    jobTimeoutSeconds: ["Longest run of an export", "seconds"],
    pageTimeoutSeconds: ["Longest time for one page", "seconds"],
    exportMemoryMegabytes: ["Memory of an export", "MB"],
    exportDiskMegabytes: ["Disk of an export", "MB"],
    cacheDiskMegabytes: ["Disk of the caches of all sites", "MB"],
    gitStallSeconds: ["Longest time without progress of git", "seconds"],
    agentStartsPerHour: ["Prompts per project and hour", ""],
    maxQueuedJobs: ["Jobs that may wait", ""],
    maxQueuedJobsPerDomain: ["Maximum waiting jobs per domain", ""],
    keepDays: ["Unused jobs and bundles are kept for", "days"],
    keepJobs: ["Jobs that are kept for each domain", ""],
};

/** More sites than these are in `GET /v1/usage`. */
const shownSites = 50;

export function HealthPage({ context, service, workers, usage }: HealthPageProps) {
    return (
        <Layout title="Health" context={context} section="/health">
            <h1>Health</h1>
            {service === undefined ? null : <ServiceFacts service={service} usage={usage} />}
            {service === undefined ? null : <WorkerTable base={context.base} workers={workers} />}
            <h2>Storage by site</h2>
            {usage.sites.length === 0 ? <p class="soft">No bundle is stored.</p> : null}
            <div class="bars">
                {usage.sites.slice(0, shownSites).map(({ domain, bytes, bundles }) => (
                    <>
                        <span>{domain}</span>
                        <meter aria-label={domain} max={Math.max(1, usage.sites[0]?.bytes ?? 1)} value={bytes} />
                        <span>
                            {describeBytes(bytes)}, {bundles} {bundles === 1 ? "bundle" : "bundles"}
                        </span>
                    </>
                ))}
            </div>
            {service === undefined ? null : (
                <>
                    <h2>Limits</h2>
                    <dl class="facts">
                        {Object.entries(limitTitles).map(([name, [title, unit]]) => (
                            <>
                                <dt>{title}</dt>
                                <dd>
                                    {service.limits[name]} {unit}
                                </dd>
                            </>
                        ))}
                    </dl>
                    {service.buildLimits.length === 0 ? null : <h2>Limits of builds</h2>}
                    {service.buildLimits.map((limit) => (
                        <p>{describeLimit(limit)}</p>
                    ))}
                </>
            )}
        </Layout>
    );
}

function WorkerTable({ base, workers }: Pick<HealthPageProps, "workers"> & Pick<PageContext, "base">) {
    return (
        <>
            <h2>Workers</h2>
            <Table title="Workers" columns={["Worker", "Runs", "Host", "Now", "Started", "Seen"]}>
                {workers.map((worker) => (
                    <tr>
                        <td>
                            <code>{worker.id}</code>
                        </td>
                        <td>
                            {worker.kind}s, {worker.concurrency} at once
                        </td>
                        <td>{worker.host}</td>
                        <td>
                            {worker.jobs.length === 0 ? <span class="soft">idle</span> : null}
                            {worker.jobs.map(({ jobId, domain }) => (
                                <div>
                                    <a href={`${base}/jobs/${jobId}`}>{domain}</a>
                                </div>
                            ))}
                        </td>
                        <td>
                            <Time at={worker.startedAt} />
                        </td>
                        <td>
                            <Time at={worker.seenAt} />
                        </td>
                    </tr>
                ))}
            </Table>
        </>
    );
}

function ServiceFacts({ service, usage }: { service: Answer<"ServiceState">; usage: Answer<"Usage"> }) {
    const { problems, disk, queue } = service;
    return (
        <>
            {problems.length === 0 ? (
                <div class="note tip">Everything works.</div>
            ) : (
                <div class="note danger" role="alert">
                    {problems.map((problem) => (
                        <p>{problem}</p>
                    ))}
                </div>
            )}
            <div class="cards">
                <Fact title="Running and waiting jobs" value={`${queue.running} / ${queue.exports}`} />
                <Fact title="Waiting prompts" value={String(queue.prompts)} />
                <Fact title={`Bundles, in the ${service.storage}`} value={describeBytes(usage.bytes)} />
                {disk === null ? null : (
                    <Fact
                        title={`Free disk of ${describeBytes(disk.totalBytes)}`}
                        value={describeBytes(disk.freeBytes)}
                    />
                )}
                <Fact title={`Version, since ${service.startedAt.slice(0, 10)}`} value={service.version} />
                <Fact title="Database" value={service.database} />
            </div>
        </>
    );
}

function Fact({ title, value }: { title: string; value: string }) {
    return (
        <div class="card">
            <span class="number">{value}</span>
            <span class="soft">{title}</span>
        </div>
    );
}

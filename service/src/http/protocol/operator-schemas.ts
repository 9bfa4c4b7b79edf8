import { type TSchema, Type } from "typebox";
import {
    agentJob,
    agentJobLog,
    agentJobRecord,
    jobDetails,
    jobRecord,
    removedSite,
    site,
    usage,
} from "@pulumi-static-export/contract/api";
import { workerKinds } from "../../history/workers.js";
import { jobPhases } from "../../jobs/job-log.js";
import { outcomeSchemas } from "./outcome-schemas.js";
import { keySchemas } from "./key-schemas.js";
import { closed, DateTime, declared, Nullable, StringEnum } from "./schema-types.js";

const Next = Nullable(Type.String({ description: "The cursor of the next page; null on the last page." }));

const jobFields = {
    ...declared(jobRecord),
    previewOf: Type.Optional(Type.String({ description: "The site whose branch the domain previews." })),
    branch: Type.Optional(Type.String({ description: "The previewed branch." })),
    commitUrl: Type.Optional(Type.String({ description: "The page of the commit, if its forge is known." })),
};
export const JobSummaryBody = Type.Object(jobFields, closed);

const StaticExportHistoryBody = Type.Object(
    {
        jobs: Type.Array(JobSummaryBody, { description: "The newest first. The list does not contain removed jobs." }),
        total: Type.Optional(
            Type.Integer({ minimum: 0, description: "With count=true: how many jobs match; 1001 for more than 1000." }),
        ),
        next: Next,
    },
    closed,
);

const ChangedFiles = Type.Object(
    { added: Type.Array(Type.String()), modified: Type.Array(Type.String()), removed: Type.Array(Type.String()) },
    { ...closed, description: "The paths that differ from the previously published commit." },
);

const JobDetailsBody = Type.Object(
    {
        ...jobFields,
        paths: Nullable(Type.Array(Type.String(), { description: "The pages of the export; null for all." })),
        worker: Nullable(Type.String({ description: "The worker that runs the job, or ran it last." })),
        waiting: Type.Optional(
            Type.Object(
                {
                    longer: Type.Integer({ minimum: 0, description: "How many jobs have waited longer." }),
                    all: Type.Integer({ minimum: 1, description: "How many jobs wait." }),
                    behind: Type.Optional(
                        Type.String({ description: "The running job of the same domain, which must end first." }),
                    ),
                },
                { ...closed, description: "The place in the queue, while the job waits. Keys and domains take turns." },
            ),
        ),
        attempts: declared(jobDetails).attempts,
        cancellation: Type.Optional(Type.String({ description: "Who cancelled the job, and why." })),
        commit: Type.Optional(
            Type.Object(
                {
                    author: Type.String(),
                    message: Type.String(),
                    filesChanged: Type.Optional(ChangedFiles),
                },
                { ...closed, description: "The commit that an update publishes, as soon as it is known." },
            ),
        ),
        phases: Type.Array(
            Type.Object(
                {
                    name: StringEnum(["queue", ...jobPhases] as const, "The step."),
                    startedAt: DateTime("When it began."),
                    durationMs: Type.Integer({ minimum: 0, description: "How long it took, so far." }),
                },
                closed,
            ),
            { description: "The steps of the job's last run, in order." },
        ),
        log: Type.Array(
            Type.Object(
                { at: DateTime("When the line was written."), attempt: Type.Integer(), message: Type.String() },
                closed,
            ),
            { description: "What the runs did." },
        ),
    },
    closed,
);

const Source = Type.Object(
    {
        kind: StringEnum(["folder", "repository"], "Where the documentation is."),
        url: Type.Optional(Type.String({ description: "The repository." })),
        branch: Type.Optional(Type.String({ description: "The branch; absent for the default branch." })),
        folder: Type.Optional(Type.String({ description: "The folder of the repository." })),
    },
    closed,
);

const siteFields = {
    ...declared(site),
    source: Source,
    basePath: Type.Optional(Type.String({ description: "The base path, if the operator has set one." })),
    hasBuilder: Type.Boolean({ description: "Whether the site's own builder runs." }),
    previewsBelow: Type.Optional(Type.String({ description: "The domain below which branches are previewed." })),
    lastExport: Type.Union([JobSummaryBody, Type.Null()], { description: "The newest export." }),
    lastUpdate: Type.Union([JobSummaryBody, Type.Null()], { description: "The newest documentation update." }),
    unfinished: Type.Array(JobSummaryBody, { description: "Jobs that wait or run." }),
};

const SiteListBody = Type.Object(
    {
        sites: Type.Array(Type.Object(siteFields, closed), {
            description: "The sites that need attention first: failed, stale, never exported.",
        }),
        total: Type.Integer({ minimum: 0, description: "How many sites match." }),
        states: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
            description: "How many of the sites that the search matches are in each state.",
        }),
        next: Next,
    },
    closed,
);

const WorkersBody = Type.Object(
    {
        workers: Type.Array(
            Type.Object(
                {
                    id: Type.String(),
                    kind: StringEnum(workerKinds, "What the worker runs."),
                    host: Type.String({ description: "The machine or pod." }),
                    concurrency: Type.Integer({ description: "How many jobs the worker runs at the same time." }),
                    startedAt: DateTime("When it started."),
                    seenAt: DateTime(
                        "When the worker last reported that it is alive. Workers report every ten seconds.",
                    ),
                    jobs: Type.Array(Type.Object({ jobId: Type.String(), domain: Type.String() }, closed)),
                },
                closed,
            ),
        ),
    },
    closed,
);

const UsageBody = Type.Object(
    {
        sites: Type.Array(Type.Object(declared(usage), closed), {
            description: "The stored bundles of each domain, the largest first. The data may be some minutes old.",
        }),
        bundles: Type.Integer(),
        bytes: Type.Integer(),
    },
    closed,
);

const ServiceStateBody = Type.Object(
    {
        version: Type.String(),
        database: StringEnum(["embedded", "postgresql"], "Where the jobs are stored."),
        storage: StringEnum(["folder", "bucket"], "Where the bundles are stored."),
        problems: Type.Array(Type.String(), { description: "What does not work now; empty if everything works." }),
        disk: Nullable(
            Type.Object(
                { freeBytes: Type.Integer(), totalBytes: Type.Integer() },
                { ...closed, description: "The disk of the data folder." },
            ),
        ),
        queue: Type.Object(
            { exports: Type.Integer(), running: Type.Integer(), prompts: Type.Integer() },
            { ...closed, description: "The jobs that wait and run." },
        ),
        limits: Type.Record(Type.String(), Type.Integer(), { description: "The numeric options." }),
        buildLimits: Type.Array(
            Type.Object(
                {
                    limit: Type.String(),
                    by: StringEnum(["the kernel", "watching", "nothing"], "Who enforces it."),
                    advice: Type.Optional(Type.String({ description: "Why, and what the operator can do." })),
                },
                closed,
            ),
            { description: "How the limits of builds are enforced; empty if no site has a build in this process." },
        ),
        projects: Type.Array(
            Type.Object({ id: Type.String(), repository: Type.String(), ref: Nullable(Type.String()) }, closed),
        ),
        startedAt: DateTime("When this process started."),
    },
    closed,
);

const AgentJobRecord = Type.Object(
    {
        ...declared({ ...agentJobRecord, archivedAt: agentJob.archivedAt }),
        repository: Type.String(),
        ref: Nullable(Type.String()),
        model: Type.String(),
    },
    closed,
);

const AgentJobListBody = Type.Object(
    { jobs: Type.Array(AgentJobRecord, { description: "The newest first." }), next: Next },
    closed,
);

const AgentLogBody = Type.Object(
    {
        prompts: Type.Array(
            Type.Object(
                {
                    prompt: Type.String(),
                    state: StringEnum(
                        ["waiting", "running", "done", "dropped"],
                        "Whether the agent works on it. Dropped without a run: an earlier prompt failed, or the job " +
                            "was archived.",
                    ),
                    createdAt: DateTime("When it was sent."),
                },
                closed,
            ),
        ),
        ...declared(agentJobLog),
        from: Type.Integer({ description: "The byte at which this part begins." }),
    },
    closed,
);

const partOf = <Entry extends TSchema>(entry: Entry, description: string) =>
    Type.Object(
        { count: Type.Integer({ minimum: 0 }), first: Type.Array(entry, { description: "At most 500." }) },
        { ...closed, description },
    );
const ChangedPage = Type.Object(
    { page: Type.String({ description: "Such as /guides/start." }), title: Type.String() },
    closed,
);
const ExportChangesBody = Type.Object(
    {
        jobId: Type.String(),
        before: Nullable(Type.String({ description: "The job of the previous export. Null for the first one." })),
        added: partOf(ChangedPage, "New pages."),
        changed: partOf(ChangedPage, "Pages whose text changed."),
        removed: partOf(ChangedPage, "Pages that are gone."),
        missingRedirects: partOf(ChangedPage, "Removed pages that do not redirect to another page."),
        becomePublic: partOf(ChangedPage, "Pages that become public: only certain readers could read them."),
        becomePrivate: partOf(ChangedPage, "Pages that become private: everybody could read them."),
        deadLinks: partOf(
            Type.Object({ page: Type.String(), href: Type.String() }, closed),
            "Links that lead nowhere now, but worked before.",
        ),
    },
    closed,
);

/** The response bodies of this service's additions, by their names in the OpenAPI document. */
export const operatorSchemas = {
    ...keySchemas,
    StaticExportHistory: StaticExportHistoryBody,
    JobDetails: JobDetailsBody,
    ExportChanges: ExportChangesBody,
    SiteList: SiteListBody,
    Site: Type.Object(siteFields, closed),
    RemovedSite: Type.Object({ domain: Type.String(), ...declared(removedSite) }, closed),
    Workers: WorkersBody,
    Usage: UsageBody,
    ...outcomeSchemas,
    ServiceState: ServiceStateBody,
    AgentJobList: AgentJobListBody,
    AgentJobLog: AgentLogBody,
};

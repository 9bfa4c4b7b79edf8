import { Type, type Static } from "typebox";
import {
    agentJobStatuses,
    exportRequest,
    type ExportRequest,
    maxPromptCharacters,
} from "@pulumi-static-export/contract";
import { updateStatuses } from "../../updates/describe-update.js";
import { progressFields } from "./job-answers.js";
import { operatorSchemas } from "./operator-schemas.js";
import { Cancelled, closed, DateTime, Nullable, StringEnum } from "./schema-types.js";

// Request bodies may have unknown fields, as on the public platform: clients may be newer than servers.
// The description of a field is also part of its validation error: "domain must be <description>".

const ErrorBody = Type.Object({ error: Type.String({ description: "Human-readable error message." }) }, closed);

export const StartStaticExportBody = Type.Unsafe<ExportRequest>({
    type: "object",
    required: ["domain"],
    properties: exportRequest,
});

const ExportWarningsBody = Type.Object(
    {
        count: Type.Integer({
            minimum: 0,
            description: "The number of places with a warning, including those beyond the first 100 warnings.",
        }),
        countByKind: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
            description: "The number of places of each kind, such as link, component or expression.",
        }),
        first: Type.Array(
            Type.Object(
                {
                    kind: Type.String(),
                    file: Type.String({ description: "The file's path, relative to the site's folder." }),
                    line: Type.Optional(Type.Integer({ minimum: 1 })),
                    reason: Type.String(),
                    places: Type.Optional(
                        Type.Integer({ minimum: 2, description: "How many places have this warning, if several." }),
                    ),
                    alsoIn: Type.Optional(
                        Type.Array(Type.String(), {
                            maxItems: 20,
                            description: "The places after the first one, such as guides/start.md:12.",
                        }),
                    ),
                },
                closed,
            ),
            { maxItems: 100, description: "The first 100 different warnings, each with its file and line." },
        ),
    },
    {
        ...closed,
        description:
            "The site's mistakes: present if the job completed, or if a strict service failed the job because of them.",
    },
);

const jobFields = {
    jobId: Type.String({ pattern: "^se_[0-9a-f]+$", description: "Identifier of the export job." }),
    ...progressFields,
    sourceRef: Type.Optional(
        Type.String({
            pattern: "^[0-9a-f]{40,64}$",
            description:
                "The commit that the job exports; only for a site in a repository, after the commit was " + "fetched.",
        }),
    ),
    error: Type.Optional(Type.String({ description: "Why the job failed. Absent unless the job failed." })),
    cancelled: Cancelled,
};

export const StaticExportJobBody = Type.Object({ ...jobFields, warnings: Type.Optional(ExportWarningsBody) }, closed);

const BundleBody = Type.Object(
    {
        jobId: Type.String({ pattern: "^se_[0-9a-f]+$" }),
        bundleUrl: Type.String({
            format: "uri",
            description: "Presigned link to the tar.gz archive. Fetch the archive without the Authorization header.",
        }),
        sizeBytes: Type.Integer({ minimum: 0 }),
        expiresAt: DateTime("When the link expires. Request the bundle again for a fresh link."),
    },
    closed,
);

const AgentJobBody = Type.Object(
    {
        id: Type.String({ description: "Unique identifier of the agent job." }),
        status: StringEnum(agentJobStatuses, "completed, archived and failed are final until a message is sent."),
        source: Type.Object(
            {
                repository: Type.String({ format: "uri", description: "Full URL of the hosted git repository." }),
                ref: Nullable(Type.String({ description: "The git branch the agent works on." })),
            },
            closed,
        ),
        model: Type.String({ description: "The AI model used for this job." }),
        prLink: Nullable(
            Type.String({
                format: "uri",
                description: "The agent's pull request; null while active and when no file changed.",
            }),
        ),
        createdAt: DateTime("When the job was created."),
        archivedAt: Nullable(DateTime("When the job was archived.")),
    },
    closed,
);

const StartedUpdateBody = Type.Object(
    { statusId: Type.String({ pattern: "^du_[0-9a-f]+$", description: "Identifier of the update." }) },
    closed,
);

const StartedPreviewBody = Type.Object(
    {
        statusId: Type.String({ pattern: "^du_[0-9a-f]+$", description: "Identifier of the preview's update." }),
        previewUrl: Type.String({
            format: "uri",
            description: "The address of the preview. Its host name can be exported once the update has succeeded.",
        }),
    },
    closed,
);

const IgnoredDeliveryBody = Type.Object({ ignored: Type.String({ description: "Why nothing was started." }) }, closed);

export const DeliveryBody = Type.Object({}, { description: "A push, or another event, in the forge's own format." });

const Paths = (description: string) => Type.Array(Type.String(), { maxItems: 1000, description });

const DocumentationUpdateBody = Type.Object(
    {
        _id: Type.String({ pattern: "^du_[0-9a-f]+$", description: "Identifier of the update." }),
        projectId: Type.String({ description: "The project that the update was started for." }),
        status: StringEnum(updateStatuses, "success and failure are final."),
        createdAt: DateTime("When the update was started."),
        endedAt: Type.Optional(DateTime("When the update ended; absent until then.")),
        summary: Type.String({ description: "The current step of the update, or its outcome." }),
        logs: Type.Array(Type.String(), {
            maxItems: 101,
            description: "The site's first 100 warnings, and the error.",
        }),
        commit: Type.Optional(
            Type.Object(
                {
                    sha: Type.String({ pattern: "^[0-9a-f]{40,64}$" }),
                    ref: Type.Optional(Type.String({ description: "The configured branch." })),
                    message: Type.Optional(Type.String()),
                    filesChanged: Type.Optional(
                        Type.Object(
                            {
                                added: Paths("Up to 1,000 paths."),
                                modified: Paths("Up to 1,000 paths."),
                                removed: Paths("Up to 1,000 paths."),
                            },
                            { ...closed, description: "The files that changed since the previously published commit." },
                        ),
                    ),
                },
                {
                    ...closed,
                    description:
                        "The commit that is published on success; only for a site in a repository, after the commit " +
                        "was fetched.",
                },
            ),
        ),
        author: Nullable(Type.Object({ name: Type.String() }, { ...closed, description: "The commit's author." })),
        source: Type.String({ description: "What started the update: api, github or gitlab." }),
    },
    closed,
);

export const PreviewBody = Type.Object({
    branch: Type.String({
        // Applies the rule of isBranchName: no control characters, and nothing that git reserves.
        pattern:
            "^(?![-/@]$|[-/])(?!.*(\\.\\.|@\\{|//|/\\.|\\.lock/|\\.lock$|[/.]$))(?!\\.)" +
            "[^\\u0000-\\u0020\\u007f~^:?*[\\\\]{1,200}$",
        description: "the name of a branch, such as main, of 1 to 200 characters",
    }),
});

export const PromptBody = Type.Object({
    prompt: Type.String({
        minLength: 1,
        maxLength: maxPromptCharacters,
        description: `a string of 1 to ${maxPromptCharacters.toLocaleString("en")} characters that says what the agent should do`,
    }),
});

export const StartHeaders = Type.Object({
    "idempotency-key": Type.Optional(
        Type.String({
            pattern: "^[\\x21-\\x7e]{1,255}$",
            description:
                "a key of 1 to 255 visible ASCII characters: a request with the key of an earlier one returns the same job, " +
                "or starts a new one if that job has been removed",
        }),
    ),
});

/** The response headers of requests that may carry a key. */
export const startAnswerHeaders = {
    "Idempotency-Key-Max-Age": {
        type: "integer",
        description: "The number of seconds for which the service keeps a key; every response has this header.",
    },
    "Idempotency-Replayed": {
        type: "string",
        enum: ["true"],
        description:
            "True if an earlier request with this Idempotency-Key has already caused this result. Absent otherwise.",
    },
};

export const StaticExportJobParams = Type.Object({ jobId: Type.String() });
export const AgentProjectParams = Type.Object({ projectId: Type.String() });
export const AgentJobParams = Type.Object({ projectId: Type.String(), id: Type.String() });
export const UpdateProjectParams = Type.Object({ project: Type.String() });
export const UpdateParams = Type.Object({ statusId: Type.String() });
export const BundleParams = Type.Object({ file: Type.String() });

/** The response bodies, by their names in the OpenAPI document. */
export const sharedSchemas = {
    Error: ErrorBody,
    StaticExportJob: StaticExportJobBody,
    StaticExportBundle: BundleBody,
    AgentJob: AgentJobBody,
    StartedDocumentationUpdate: StartedUpdateBody,
    StartedDocumentationPreview: StartedPreviewBody,
    IgnoredDelivery: IgnoredDeliveryBody,
    DocumentationUpdate: DocumentationUpdateBody,
    ...operatorSchemas,
};

/** A table, because the compiler needs seconds for `Static` of a schema that it does not know yet. */
export type Answers = { [Name in keyof typeof sharedSchemas]: Static<(typeof sharedSchemas)[Name]> };

/** The type of an answer, by its name in the OpenAPI document. */
export type Answer<Name extends keyof Answers> = Answers[Name];

/**
 * A reference to one of the shared schemas, typed as the schema itself.
 *
 * @param headers - the headers of the response, for the OpenAPI document
 */
export function Shared<Name extends keyof Answers>(name: Name, description: string, headers?: object) {
    const schema = { $ref: `${name}#`, description, ...(headers === undefined ? {} : { headers }) };
    return Type.Unsafe<Answer<Name>>(schema);
}

const errorDescriptions = {
    400: "The request is invalid.",
    401: "The Authorization header has no admin API key of this service, or a key that has expired or was revoked.",
    403: "The admin API key does not allow this request, or no key does.",
    404: "Not found.",
    409: "The job's status does not allow this request.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    416: "The range lies outside of the archive.",
    422: "The Idempotency-Key was used with another body.",
    429: "Too many requests: wait as Retry-After says.",
    500: "The service failed.",
    503: "The database or the storage cannot be reached: try again as Retry-After says.",
} as const;

export type ErrorStatus = keyof typeof errorDescriptions;

/** The `Error` answers of a route, for its response schemas. */
export function errorAnswers<const Statuses extends readonly ErrorStatus[]>(...statuses: Statuses) {
    return Object.fromEntries(statuses.map((status) => [status, Shared("Error", errorDescriptions[status])])) as Record<
        Statuses[number],
        ReturnType<typeof Shared<"Error">>
    >;
}

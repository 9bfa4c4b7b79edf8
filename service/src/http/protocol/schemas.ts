import { Type, type Static } from "typebox";
import { exportRequest, type ExportRequest, maxPromptCharacters } from "@pulumi-static-export/contract";
import {
    agentJob,
    bundleLink,
    documentationUpdate,
    exportJob,
    exportWarnings,
    jobRecord,
    startedPreview,
    startedUpdate,
} from "@pulumi-static-export/contract/api";
import { operatorSchemas } from "./operator-schemas.js";
import { closed, declared, Nullable } from "./schema-types.js";

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
        ...declared(exportWarnings),
        countByKind: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
            description: "The number of places of each kind, such as link, component or expression.",
        }),
    },
    {
        ...closed,
        description:
            "The site's mistakes: present if the job completed, or if a strict service failed the job because of them.",
    },
);

export const StaticExportJobBody = Type.Object(
    {
        ...declared({ ...exportJob, cancelled: jobRecord.cancelled }),
        warnings: Type.Optional(ExportWarningsBody),
    },
    closed,
);

const IgnoredDeliveryBody = Type.Object({ ignored: Type.String({ description: "Why nothing was started." }) }, closed);

export const DeliveryBody = Type.Object({}, { description: "A push, or another event, in the forge's own format." });

const DocumentationUpdateBody = Type.Object(
    {
        _id: Type.String({ pattern: "^du_[0-9a-f]+$", description: "Identifier of the update." }),
        ...declared(documentationUpdate),
        author: Nullable(Type.Object({ name: Type.String() }, { ...closed, description: "The commit's author." })),
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
                "a key of 1 to 255 visible ASCII characters: a request with the key of an earlier one, for the same " +
                "domain, project or job, returns the same job, or starts a new one if that job has been removed",
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
    StaticExportBundle: Type.Object(declared(bundleLink), closed),
    AgentJob: Type.Object(declared(agentJob), closed),
    StartedDocumentationUpdate: Type.Object(declared(startedUpdate), closed),
    StartedDocumentationPreview: Type.Object(declared(startedPreview), closed),
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

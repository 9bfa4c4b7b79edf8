import {
    answer,
    type Clean,
    documentationUpdate,
    object,
    type publishedCommit,
    type Received,
    startedPreview,
    startedUpdate,
    updateStatuses,
} from "@pulumi-static-export/contract/api";

export type { ChangedFiles } from "@pulumi-static-export/contract/api";

/** The statuses that the public platform documents. */
export type KnownDocumentationUpdateStatus = (typeof updateStatuses)[number];
/** An unknown status is passed on unchanged: it neither ends polling nor speeds it up. */
export type DocumentationUpdateStatus = PlatformUpdate["status"];

export const knownDocumentationUpdateStatuses: ReadonlySet<string> = new Set(updateStatuses);

/** The statuses that end a documentation update, and with it polling. */
export const terminalDocumentationUpdateStatuses: ReadonlySet<string> = new Set<KnownDocumentationUpdateStatus>([
    "success",
    "failure",
]);

/** The commit that an update publishes. */
export type PublishedCommit = Received<typeof publishedCommit>;

type ReceivedUpdate = Received<typeof documentationUpdate>;

/** An update of a published site, or a preview of a branch. The platform guarantees none of the optional fields. */
export type PlatformUpdate = ReceivedUpdate & {
    /** The requested id. */
    statusId: string;
    /** `unknown` if the server sends no status. */
    status: NonNullable<ReceivedUpdate["status"]>;
};

/** The response's `_id` is not compared, because it is not documented to be the `statusId`. */
export function decodeDocumentationUpdate(body: unknown, clean: Clean, statusId: string): PlatformUpdate {
    return { statusId, status: "unknown", ...answer(object(documentationUpdate))(body, clean) };
}

/** The response to the start of an update. */
export type StartedDocumentationUpdate = Received<typeof startedUpdate>;
export const decodeStartedUpdate = answer(object(startedUpdate));

/** The response to the start of a preview. */
export type StartedDocumentationPreview = Received<typeof startedPreview>;
export const decodeStartedPreview = answer(object(startedPreview));

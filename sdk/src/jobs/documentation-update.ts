import {
    answer,
    type Clean,
    dateTime,
    type Decoded,
    type Decoder,
    DecodeProblem,
    fields,
    id,
    link,
    optional,
    text,
} from "../http/decode.js";

/** The statuses that the public platform documents. */
export type KnownDocumentationUpdateStatus = "queued" | "in_progress" | "success" | "failure";
/** An unknown status is passed on unchanged: it neither ends polling nor speeds it up. */
export type DocumentationUpdateStatus = KnownDocumentationUpdateStatus | (string & {});

export const knownDocumentationUpdateStatuses: ReadonlySet<string> = new Set<KnownDocumentationUpdateStatus>([
    "queued",
    "in_progress",
    "success",
    "failure",
]);

/** The statuses that end a documentation update, and with it polling. */
export const terminalDocumentationUpdateStatuses: ReadonlySet<string> = new Set<KnownDocumentationUpdateStatus>([
    "success",
    "failure",
]);

/** How many paths, and how many of the last log lines, a client stores for one update. */
const maxPaths = 100;
const maxLogLines = 20;

/** The files that a commit changed. */
export interface ChangedFiles {
    /** The number of files that the commit added. */
    added: number;
    /** The number of files that the commit modified. */
    modified: number;
    /** The number of files that the commit removed. */
    removed: number;
    /** The first hundred changed paths. */
    paths: string[];
}

const strings: Decoder<string[]> = (value) =>
    Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
const pathLists = fields({ added: strings, modified: strings, removed: strings });

const changedFiles: Decoder<ChangedFiles> = (value, what, clean) => {
    const { added, modified, removed } = pathLists(value, what, clean);
    const paths = [...added, ...modified, ...removed].slice(0, maxPaths).map(clean);
    return { added: added.length, modified: modified.length, removed: removed.length, paths };
};

const commit = {
    sha: optional(text),
    /** The branch. */
    ref: optional(text),
    message: optional(text),
    filesChanged: optional(changedFiles),
};

/** The commit that an update publishes. */
export type PublishedCommit = Decoded<typeof commit>;

const logs: Decoder<string[]> = (value, what, clean) => {
    if (typeof value !== "string" && !Array.isArray(value)) {
        throw new DecodeProblem(`${what} must be an array of strings`);
    }
    const lines = typeof value === "string" ? value.split("\n") : strings(value, what, clean);
    return lines
        .slice(-maxLogLines)
        .map(clean)
        .filter((line) => line !== "");
};

const update = {
    status: optional(text as Decoder<DocumentationUpdateStatus>),
    projectId: optional(text),
    /** RFC 3339 date-time. */
    createdAt: optional(dateTime),
    /** RFC 3339 date-time; absent until the update has ended. */
    endedAt: optional(dateTime),
    /** The result in a few words, shortened to one line. */
    summary: optional(text),
    /** The last lines of the log, each bounded. */
    logs: optional(logs),
    commit: optional(fields(commit)),
    /** The trigger of the update, such as `api` or `github`. */
    source: optional(text),
};

/** An update of a published site, or a preview of a branch. The platform guarantees none of the optional fields. */
export type PlatformUpdate = Decoded<typeof update> & {
    /** The requested id. */
    statusId: string;
    /** `unknown` if the server sends no status. */
    status: DocumentationUpdateStatus;
};

/** The response's `_id` is not compared, because it is not documented to be the `statusId`. */
export function decodeDocumentationUpdate(body: unknown, clean: Clean, statusId: string): PlatformUpdate {
    return { statusId, status: "unknown", ...answer(fields(update))(body, clean) };
}

const startedUpdate = { statusId: id };

/** The response to the start of an update. */
export type StartedDocumentationUpdate = Decoded<typeof startedUpdate>;
export const decodeStartedUpdate = answer(fields(startedUpdate));

const startedPreview = {
    ...startedUpdate,
    /** The address of the preview once its update has succeeded. */
    previewUrl: optional(link),
};

/** The response to the start of a preview. */
export type StartedDocumentationPreview = Decoded<typeof startedPreview>;
export const decodeStartedPreview = answer(fields(startedPreview));

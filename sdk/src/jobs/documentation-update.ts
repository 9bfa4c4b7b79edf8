import {
    type Clean,
    decodeDateTime,
    decodeId,
    decodeLink,
    decodeObject,
    DecodeProblem,
    decodeText,
    type JsonObject,
    optionalField,
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

/** The commit that an update publishes. */
export interface PublishedCommit {
    sha?: string;
    /** The branch. */
    ref?: string;
    message?: string;
    filesChanged?: ChangedFiles;
}

/** An update of a published site, or a preview of a branch. The platform guarantees none of the optional fields. */
export interface DocumentationUpdate {
    /** The requested id. */
    statusId: string;
    /** `unknown` if the server sends no status. */
    status: DocumentationUpdateStatus;
    projectId?: string;
    /** RFC 3339 date-time. */
    createdAt?: string;
    /** RFC 3339 date-time; absent until the update has ended. */
    endedAt?: string;
    /** The result in a few words, shortened to one line. */
    summary?: string;
    /** The last lines of the log, each bounded. */
    logs?: string[];
    commit?: PublishedCommit;
    /** The trigger of the update, such as `api` or `github`. */
    source?: string;
}

/** The response to the start of an update. */
export interface StartedDocumentationUpdate {
    statusId: string;
}

/** The response to the start of a preview. */
export interface StartedDocumentationPreview extends StartedDocumentationUpdate {
    /** The address of the preview once its update has succeeded. */
    previewUrl?: string;
}

export function decodeStartedUpdate(answer: unknown, clean: Clean): StartedDocumentationUpdate {
    return { statusId: decodeId(decodeObject(answer), "statusId", clean) };
}

export function decodeStartedPreview(answer: unknown, clean: Clean): StartedDocumentationPreview {
    const preview = decodeObject(answer);
    return { ...decodeStartedUpdate(preview, clean), ...optionalField(preview, "previewUrl", decodeLink) };
}

/** The response's `_id` is not compared, because it is not documented to be the `statusId`. */
export function decodeDocumentationUpdate(answer: unknown, clean: Clean, statusId: string): DocumentationUpdate {
    const update = decodeObject(answer);
    const text = (object: JsonObject, key: string) => decodeText(object, key, clean);
    return {
        statusId,
        status: "unknown",
        ...optionalField(update, "status", text),
        ...optionalField(update, "projectId", text),
        ...optionalField(update, "createdAt", decodeDateTime),
        ...optionalField(update, "endedAt", decodeDateTime),
        ...optionalField(update, "summary", text),
        ...optionalField(update, "logs", (object, key) => decodeLogs(object, key, clean)),
        ...optionalField(update, "commit", (object, key) => decodeCommit(object, key, clean)),
        ...optionalField(update, "source", text),
    };
}

function decodeCommit(object: JsonObject, key: string, clean: Clean): PublishedCommit {
    const commit = decodeObject(object[key], `"${key}"`);
    const text = (of: JsonObject, name: string) => decodeText(of, name, clean);
    return {
        ...optionalField(commit, "sha", text),
        ...optionalField(commit, "ref", text),
        ...optionalField(commit, "message", text),
        ...optionalField(commit, "filesChanged", (of, name) => decodeFilesChanged(of, name, clean)),
    };
}

function decodeFilesChanged(object: JsonObject, key: string, clean: Clean): ChangedFiles {
    const files = decodeObject(object[key], `"${key}"`);
    const [added, modified, removed] = [files["added"], files["modified"], files["removed"]].map(stringsOf) as [
        string[],
        string[],
        string[],
    ];
    const paths = [...added, ...modified, ...removed].slice(0, maxPaths).map(clean);
    return { added: added.length, modified: modified.length, removed: removed.length, paths };
}

function decodeLogs(object: JsonObject, key: string, clean: Clean): string[] {
    const value = object[key];
    if (typeof value !== "string" && !Array.isArray(value)) {
        throw new DecodeProblem(`"${key}" must be an array of strings`);
    }
    const lines = typeof value === "string" ? value.split("\n") : stringsOf(value);
    return lines
        .slice(-maxLogLines)
        .map(clean)
        .filter((line) => line !== "");
}

function stringsOf(value: unknown): string[] {
    return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

import * as field from "./fields.js";

/** The public platform uses these names for the statuses of an update. */
export const updateStatuses = ["queued", "in_progress", "success", "failure"] as const;

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

const strings = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
const paths = field.kind<string[]>({ type: "array", items: { type: "string" } }, strings)("Up to 1,000 paths.", {
    maxItems: 1000,
});

/** The commit that an update publishes. */
export const publishedCommit = {
    sha: field.unpromised(field.text(undefined, { pattern: "^[0-9a-f]{40,64}$" })),
    /** The branch. */
    ref: field.optional(field.text("The configured branch.")),
    message: field.optional(field.text()),
    filesChanged: field.optional(
        field.readAs(
            field.object(
                { added: paths, modified: paths, removed: paths },
                "The files that changed since the previously published commit.",
            ),
            ({ added, modified, removed }, clean): ChangedFiles => ({
                ...{ added: added.length, modified: modified.length, removed: removed.length },
                paths: [...added, ...modified, ...removed].slice(0, maxPaths).map(clean),
            }),
        ),
    ),
};

const logs = field.kind<string[]>({ type: "array", items: { type: "string" } }, (value, what, clean) => {
    if (typeof value !== "string" && !Array.isArray(value)) {
        throw new field.DecodeProblem(`${what} must be an array of strings`);
    }
    const lines = typeof value === "string" ? value.split("\n") : strings(value);
    return lines
        .slice(-maxLogLines)
        .map(clean)
        .filter((line) => line !== "");
});

/** An update of a published site, or a preview of a branch. */
export const documentationUpdate = {
    /** `unknown` if the server sends no status. */
    status: field.unpromised(field.oneOf(updateStatuses, "success and failure are final.")),
    projectId: field.unpromised(field.text("The project that the update was started for.")),
    /** RFC 3339 date-time. */
    createdAt: field.unpromised(field.dateTime("When the update was started.")),
    /** RFC 3339 date-time; absent until the update has ended. */
    endedAt: field.optional(field.dateTime("When the update ended; absent until then.")),
    /** The result in a few words, shortened to one line. */
    summary: field.unpromised(field.text("The current step of the update, or its outcome.")),
    /** The last lines of the log, each bounded. */
    logs: field.unpromised(logs("The site's first 100 warnings, and the error.", { maxItems: 101 })),
    commit: field.optional(
        field.object(
            publishedCommit,
            "The commit that is published on success; only for a site in a repository, after the commit was fetched.",
        ),
    ),
    /** The trigger of the update, such as `api` or `github`. */
    source: field.unpromised(field.text("The trigger of the update: api, github or gitlab.")),
};

const statusId = (description: string) => field.id(description, { pattern: "^du_[0-9a-f]+$" });

export const startedUpdate = { statusId: statusId("Identifier of the update.") };

export const startedPreview = {
    statusId: statusId("Identifier of the preview's update."),
    /** The address of the preview once its update has succeeded. */
    previewUrl: field.unpromised(
        field.link("The address of the preview. Its host name can be exported once the update has succeeded."),
    ),
};

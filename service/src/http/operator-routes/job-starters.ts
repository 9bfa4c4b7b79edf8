import { type JobSummary, siteOf } from "../../exports/site-job.js";
import { type AuditLog } from "../../history/audit-log.js";
import { type AdminKeys } from "../../keys/admin-keys.js";
import { isPerson, shownIdOf } from "../protocol/caller.js";
import { answerFrom } from "../protocol/job-answers.js";
import { JobSummaryBody } from "../protocol/operator-schemas.js";
import { type Answer } from "../protocol/schemas.js";

type JobAnswer = Answer<"StaticExportHistory">["jobs"][number];

/** The page of a commit of a site; undefined if the forge is not known. */
type CommitUrlOf = (site: string, commit: string) => string | undefined;

/** Adds to the jobs of an answer who started them (a key, a person or a webhook), and where their commits are. */
export class JobStarters {
    readonly #keys: Pick<AdminKeys, "namesOf">;
    readonly #people: Pick<AuditLog, "namesOf">;
    readonly #commitUrlOf: CommitUrlOf;

    constructor(keys: Pick<AdminKeys, "namesOf">, people: Pick<AuditLog, "namesOf">, commitUrlOf: CommitUrlOf) {
        this.#keys = keys;
        this.#people = people;
        this.#commitUrlOf = commitUrlOf;
    }

    async of(jobs: readonly JobSummary[]) {
        const nameOf = await this.namesOf(jobs.map(({ queuedBy }) => queuedBy));
        return jobs.map((job) => {
            return answerFrom<JobAnswer>(JobSummaryBody, {
                ...job,
                cancelled: job.isCancelled || null,
                key: { id: job.queuedBy ?? "service", name: nameOf(job.queuedBy) },
                commitUrl: job.sourceRef === null ? null : (this.#commitUrlOf(siteOf(job), job.sourceRef) ?? null),
            });
        });
    }

    /** Names what started jobs: the id of a key or a person, `webhook`, or null for the service's own key. */
    async namesOf(starters: readonly (string | null)[]): Promise<(starter: string | null) => string> {
        const ids = starters.filter((id) => id !== null);
        const [keys, people] = await Promise.all([
            this.#keys.namesOf(ids.filter((id) => id.startsWith("ak_"))),
            this.#people.namesOf(ids.filter((id) => isPerson({ id }))),
        ]);
        return (starter) =>
            starter === null ? "key of the service" : (keys.get(starter) ?? people.get(starter) ?? shownIdOf(starter));
    }
}

import { mkdirSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { bareAddress } from "../forge/bare-address.js";
import { Git, type GitCredentials } from "../git/git.js";
import { ProcessMark } from "../processes/process-mark.js";
import { isOnForge } from "../forge/forge-address.js";
import { dayMs } from "../shared/day-ms.js";
import { type ServiceLogger } from "../shared/logger.js";
import { CachePruning } from "../storage/prune-caches.js";
import { type ResolvedAgent } from "./agent-options.js";
import { removeStaleLocks } from "../processes/remove-leftovers.js";
import { Repository } from "./repository.js";

/** How much longer than the agent's time limit a job may take, for fetching, pushing and the forge. */
const hourMs = 3_600_000;

/** The repositories that agents work on, by their addresses. Each repository has one mirror. */
export class AgentRepositories {
    readonly #folder: string;
    readonly #mark: ProcessMark;
    readonly #agent: ResolvedAgent;
    readonly #stallSeconds: number | undefined;
    readonly #known = new Map<string, Repository>();
    readonly #mirrors: CachePruning;
    #pruning: Promise<void> = Promise.resolve();

    /**
     * @param folder - the agents' folder
     * @param options.keepDays - mirrors that were unused for this long are removed
     * @param options.gitStallSeconds - how long git may make no progress
     */
    constructor(
        folder: string,
        agent: ResolvedAgent,
        { keepDays, gitStallSeconds, logger }: { keepDays: number; gitStallSeconds?: number; logger: ServiceLogger },
    ) {
        this.#folder = join(folder, "repositories");
        this.#mark = ProcessMark.ofGit(folder);
        this.#agent = agent;
        this.#stallSeconds = gitStallSeconds;
        const { maxMirrorBytes: maxBytes, timeLimitMs } = agent;
        const limits = { maxBytes, unusedMs: keepDays * dayMs, inUseMs: timeLimitMs + hourMs };
        this.#mirrors = new CachePruning(this.#folder, limits, logger);
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    }

    /**
     * Removes the locks that a killed process left. Call this method only when all git processes of the killed process
     * have ended.
     */
    removeStaleLocks(): Promise<void> {
        return removeStaleLocks(this.#folder);
    }

    /** Runs an operation that uses the mirror of a repository. */
    async use<T>(url: string, run: () => Promise<T>): Promise<T> {
        await this.#pruning;
        const repository = this.at(url);
        await touch(repository.gitDir);
        try {
            return await repository.use(run);
        } finally {
            await touch(repository.gitDir);
        }
    }

    /**
     * Removes mirrors that were unused for a long time, and then the least recently used ones, until the rest fits the
     * limit. Does nothing if the last removal was recent. Never rejects. Operations that begin meanwhile wait.
     */
    pruneIfDue(now: number): Promise<void> {
        return (this.#pruning = this.#mirrors.pruneIfDue(now));
    }

    /** Called when the process stops its runs. */
    closing(): void {
        this.#known.forEach((repository) => repository.closing());
    }

    at(url: string): Repository {
        const known = this.#known.get(url);
        if (known !== undefined) {
            return known;
        }
        const { env, maxMirrorBytes, commits } = this.#agent;
        const { protocol } = new URL(url);
        const credentials = credentialsFor(url, this.#agent);
        const git = new Git({
            mark: this.#mark,
            protocol: protocol.slice(0, -1),
            credentials,
            ...(this.#stallSeconds === undefined ? {} : { stallSeconds: this.#stallSeconds }),
            signsWithSsh: commits.signingKeyFile !== undefined,
            env,
        });
        const repository = new Repository(url, {
            git,
            folder: this.#folder,
            maxBytes: maxMirrorBytes,
            commits,
            // GitLab redirects to the address with the suffix, and git does not follow redirects with the token.
            remote: credentials === undefined ? url : `${bareAddress(url)}.git`,
        });
        this.#known.set(url, repository);
        return repository;
    }
}

/** Records that a mirror is in use. The mirror does not exist before its first fetch. */
async function touch(folder: string): Promise<void> {
    const now = new Date();
    await utimes(folder, now, now).catch(() => undefined);
}

/** Uses the forge's token for its repositories, because the token also grants access over HTTP. */
function credentialsFor(url: string, { pullRequests }: ResolvedAgent): GitCredentials | undefined {
    if (pullRequests === undefined || pullRequests.kind === "link" || !isOnForge(pullRequests, url)) {
        return undefined;
    }
    const { kind, token } = pullRequests;
    return {
        origin: new URL(url).origin,
        user: kind === "gitlab" ? "oauth2" : "x-access-token",
        password: token,
    };
}

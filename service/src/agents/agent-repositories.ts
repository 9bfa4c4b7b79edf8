import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Git, type GitCredentials } from "../git/git.js";
import { ProcessMark } from "../processes/process-mark.js";
import { isOnForge } from "../forge/forge-address.js";
import { type ResolvedAgent } from "./agent-options.js";
import { removeStaleLocks } from "./remove-leftovers.js";
import { Repository } from "./repository.js";

/** The same as the default limit of an export. */
const gitMemoryMegabytes = 1536;

/** The repositories that agents work on, by their addresses; one mirror each. */
export class AgentRepositories {
    readonly #folder: string;
    readonly #mark: ProcessMark;
    readonly #agent: ResolvedAgent;
    readonly #known = new Map<string, Repository>();

    /** @param folder - of the agents */
    constructor(folder: string, agent: ResolvedAgent) {
        this.#folder = join(folder, "repositories");
        this.#mark = ProcessMark.ofGit(folder);
        this.#agent = agent;
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    }

    /** Removes the locks that a killed process left; call it only when none of its git processes runs any more. */
    removeStaleLocks(): Promise<void> {
        return removeStaleLocks(this.#folder);
    }

    at(url: string): Repository {
        const known = this.#known.get(url);
        if (known !== undefined) {
            return known;
        }
        const { env, maxMirrorBytes } = this.#agent;
        const { protocol } = new URL(url);
        const credentials = credentialsFor(url, this.#agent);
        const git = new Git({
            mark: this.#mark,
            protocol: protocol.slice(0, -1),
            credentials,
            memoryMegabytes: gitMemoryMegabytes,
            env,
        });
        const repository = new Repository(url, {
            git,
            folder: this.#folder,
            maxBytes: maxMirrorBytes,
            // GitLab redirects to the address with the suffix, and git does not follow redirects with the token.
            remote: credentials === undefined ? url : `${url.replace(/(?:\.git)?\/*$/, "")}.git`,
        });
        this.#known.set(url, repository);
        return repository;
    }
}

/** The forge's token also grants access to its repositories over HTTP. */
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

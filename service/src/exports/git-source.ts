import { isLoopback } from "../shared/is-loopback.js";
import { isBranchName, isRepositoryUrl, mayHoldToken } from "../git/repository-names.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** Documentation in a git repository. */
export interface GitSource {
    readonly url: string;
    /** The repository's default branch if undefined. */
    readonly branch: string | undefined;
    /** The repository's folder with the documentation; "." for the whole repository. */
    readonly folder: string;
}

const prefix = "git+";

/**
 * Parses `git+https://git.example.com/acme/docs.git#main:guides`; returns undefined for a folder of this machine.
 *
 * @throws ServiceOptionsError; the message does not repeat the address, which may contain a token
 */
export function parseGitSource(domain: string, text: string): GitSource | undefined {
    if (!text.startsWith(prefix)) {
        return undefined;
    }
    const [url = "", fragment = ""] = text.slice(prefix.length).split(/#(.*)/s, 2);
    const [branch = "", folder = ""] = fragment.split(/:(.*)/s, 2);
    if (!isRepositoryUrl(url)) {
        throw new ServiceOptionsError(
            `Site ${domain}: after git+ there must be a full URL (https, http, ssh or file), such as ` +
                "git+https://git.example.com/acme/docs.git#main:guides.",
        );
    }
    if (mayHoldToken(url)) {
        throw new ServiceOptionsError(
            `Site ${domain}: the repository's URL must not contain a user, password or query. For https, put the token ` +
                "into the environment variable that --git-token-env names. For ssh, the service's user needs the key.",
        );
    }
    if (branch !== "" && !isBranchName(branch)) {
        throw new ServiceOptionsError(`Site ${domain}: ${JSON.stringify(branch)} is not the name of a branch.`);
    }
    const names = folder.split("/").filter((name) => name !== "" && name !== ".");
    if (names.includes("..")) {
        throw new ServiceOptionsError(`Site ${domain}: ${JSON.stringify(folder)} is not a folder of the repository.`);
    }
    return { url, branch: branch === "" ? undefined : branch, folder: names.join("/") || "." };
}

/** The tokens by the origins to which they may be sent. @throws ServiceOptionsError; the message contains no token */
export function resolveGitTokens(tokens: Readonly<Record<string, string>> = {}): Map<string, string> {
    return new Map(
        Object.entries(tokens).map(([address, token]) => {
            const url = URL.canParse(address) ? new URL(address) : undefined;
            const isPrivate = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
            if (url === undefined || !isPrivate || url.href !== `${url.origin}/`) {
                throw new ServiceOptionsError(
                    "A git token needs an https origin, such as https://git.example.com: " +
                        `got ${JSON.stringify(address)}.`,
                );
            }
            if (!/^[\x21-\x7e]+$/.test(token)) {
                throw new ServiceOptionsError(`The git token for ${url.origin} is empty, or holds white space.`);
            }
            return [url.origin, token];
        }),
    );
}

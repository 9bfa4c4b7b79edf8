import { bareAddress } from "./bare-address.js";
import { type Forge, isOnForge } from "./forge-address.js";
import { type ForgeKind } from "./forge-kinds.js";

/** Public hosts, and how their pages are called. */
const knownHosts: Readonly<Record<string, ForgeKind>> = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "codeberg.org": "forgejo",
    "gitea.com": "gitea",
};

/**
 * The page of a commit; undefined if the forge of the repository is not known.
 *
 * @param own - the forge that the operator has configured
 */
export function commitUrl(
    repository: string,
    commit: string,
    own?: Pick<Forge, "kind" | "apiUrl">,
): string | undefined {
    // Of git@github.com:acme/docs.git, too, which is not a URL.
    const [, sshHost, sshPath] = /^[\w.-]+@([\w.-]+):(?!\/)(.+)$/.exec(repository) ?? [];
    const address = sshHost === undefined ? repository : `ssh://${sshHost}/${sshPath}`;
    if (!URL.canParse(address)) {
        return undefined;
    }
    const { protocol, origin, hostname, pathname } = new URL(address);
    const isWeb = protocol === "https:" || protocol === "http:";
    const known = isWeb || protocol === "ssh:" ? knownHosts[hostname] : undefined;
    const kind = known ?? (isWeb && own !== undefined && isOnForge(own, address) ? own.kind : undefined);
    if (kind === undefined) {
        return undefined;
    }
    // Without a user, a password or a port that belongs to ssh.
    const page = (known === undefined ? origin : `https://${hostname}`) + bareAddress(pathname);
    return `${page}${kind === "gitlab" ? "/-" : ""}/commit/${commit}`;
}

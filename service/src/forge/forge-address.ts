import { findAddressFault, trimSlashes } from "@pulumi-static-export/contract";
import { isLoopback } from "../shared/is-loopback.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { bareAddress } from "./bare-address.js";
import { type ForgeKind } from "./forge-kinds.js";

/** A forge's API, and its token. */
export interface Forge {
    kind: ForgeKind;
    /** Such as `https://api.github.com`. */
    apiUrl: string;
    token: string;
}

/** @throws ServiceOptionsError */
export function assertForgeAddress({ apiUrl }: Pick<Forge, "apiUrl">): void {
    const fault = findAddressFault(apiUrl);
    if (fault === "not-http") {
        throw new ServiceOptionsError(
            "The address of the forge's API must be an http or https URL, such as https://api.github.com, but is " +
                `${apiUrl}.`,
        );
    }
    const { protocol, hostname } = new URL(apiUrl);
    if (fault === "not-plain") {
        throw new ServiceOptionsError(
            "The address of the forge's API must not contain a user, a query or a fragment: the token belongs in the " +
                "environment variable that --agent-forge-token-env names.",
        );
    }
    if (protocol === "http:" && !isLoopback(hostname)) {
        throw new ServiceOptionsError(
            `The address of the forge's API must begin with https, because the token is sent there, but is ${apiUrl}.`,
        );
    }
}

/**
 * Whether a repository is on the forge, so that the forge's token may be sent there. The repository's origin must be
 * the API's origin or, for GitHub, that origin without `api.`; its path must be below the forge's.
 */
export function isOnForge({ kind, apiUrl }: Pick<Forge, "kind" | "apiUrl">, repository: string): boolean {
    const { origin, pathname } = new URL(repository);
    return webOrigins(kind, new URL(apiUrl)).includes(origin) && pathname.startsWith(rootOf(apiUrl));
}

/** Such as `acme/docs` of `https://git.example.com/gitlab/acme/docs.git`, if the forge is below `/gitlab`. */
export function pathOnForge({ apiUrl }: Pick<Forge, "apiUrl">, repository: string): string {
    const { protocol, pathname } = new URL(repository);
    const root = rootOf(apiUrl);
    // The path of a forge is not in its ssh addresses.
    const isBelow = protocol.startsWith("http") && pathname.startsWith(root);
    return trimSlashes(bareAddress(isBelow ? pathname.slice(root.length) : pathname));
}

/** @throws ServiceOptionsError for a repository that would need its own token */
export function assertOnForge(forge: Pick<Forge, "kind" | "apiUrl">, projectId: string, repository: string): void {
    const { protocol, origin, pathname } = new URL(repository);
    if (protocol.startsWith("http") && !isOnForge(forge, repository)) {
        const [expectedOrigin = ""] = webOrigins(forge.kind, new URL(forge.apiUrl));
        const root = rootOf(forge.apiUrl);
        const [found, expected] = root === "/" ? [origin, expectedOrigin] : [origin + pathname, expectedOrigin + root];
        throw new ServiceOptionsError(
            `Project ${projectId}: its repository is at ${found}, and the forge's token is sent to ${expected} only: ` +
                "use a repository there, or an ssh address.",
        );
    }
}

/** The path below which the forge is: `/gitlab/` for the API `https://git.example.com/gitlab/api/v4`. */
function rootOf(apiUrl: string): string {
    const [, root = ""] = /^(.*)\/api(?:\/v\d+)?\/*$/.exec(new URL(apiUrl).pathname) ?? [];
    return `${root}/`;
}

function webOrigins(kind: ForgeKind, { origin }: URL): string[] {
    const withoutApi = origin.replace("://api.", "://");
    return kind === "github" && withoutApi !== origin ? [withoutApi, origin] : [origin];
}

import { optionTable } from "../../options/option-table.js";
import { isLoopback } from "../../shared/is-loopback.js";
import { ServiceOptionsError } from "../../shared/service-options-error.js";
import { resolveGroups, type GroupRights, type SignInGroups } from "./sign-in-groups.js";

/** The sign-in to the dashboard with an identity provider that supports OpenID Connect. */
export interface OidcOptions {
    /** The provider's address, which is the issuer of its tokens, such as `https://login.example.com/realms/acme`. */
    issuer: string;
    clientId: string;
    /**
     * The client's secret, or a function that reads it, called after the data folder was checked and created. A public
     * client has none.
     * @default none
     */
    clientSecret?: string | (() => string) | undefined;
    /** What the members of each group may do; nobody else can sign in. */
    groups: Readonly<Record<string, GroupRights>>;
    /** The claim with a person's groups. */
    groupsClaim?: string | undefined;
    /** The scopes of the request, separated by spaces. */
    scope?: string | undefined;
    /** After this time, people sign in again, so that a change of their groups takes effect. */
    sessionMinutes?: number | undefined;
}

export interface ResolvedOidc {
    issuer: URL;
    clientId: string;
    clientSecret: string | undefined;
    groups: SignInGroups;
    groupsClaim: string;
    scope: string;
    sessionMs: number;
}

/** @throws ServiceOptionsError */
export function resolveOidc(options: OidcOptions): ResolvedOidc {
    const { clientId, clientSecret, groupsClaim = optionTable.oidcGroupsClaim.default } = options;
    const { scope = optionTable.oidcScope.default, sessionMinutes = optionTable.oidcSessionMinutes.default } = options;
    const issuer = URL.canParse(options.issuer) ? new URL(options.issuer) : undefined;
    const isPrivate = issuer?.protocol === "https:" || (issuer?.protocol === "http:" && isLoopback(issuer.hostname));
    if (issuer === undefined || !isPrivate || issuer.search !== "" || issuer.hash !== "" || issuer.username !== "") {
        throw new ServiceOptionsError(
            `The identity provider "${options.issuer}" must be an https URL without a user or a query, such as ` +
                "https://login.example.com/realms/acme.",
        );
    }
    if (clientId === "") {
        throw new ServiceOptionsError("The identity provider needs the id of this service as its client.");
    }
    if (!scope.split(" ").includes("openid")) {
        throw new ServiceOptionsError(`The scopes "${scope}" of the identity provider must include openid.`);
    }
    return {
        issuer,
        clientId,
        clientSecret: typeof clientSecret === "function" ? clientSecret() : clientSecret,
        groups: resolveGroups(options.groups),
        groupsClaim,
        scope,
        sessionMs: sessionMinutes * 60_000,
    };
}

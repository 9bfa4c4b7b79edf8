import { type OidcOptions } from "@pulumi-static-export/service";
import { readFileSync } from "node:fs";
import { Option } from "commander";
import { readCount } from "../command-line/options.js";
import { readSecretFile } from "../command-line/secret-file.js";
import { UsageError } from "../command-line/usage-error.js";

/** The options of {@link oidcOptions}, parsed. */
export interface OidcSettings {
    oidcIssuer?: string;
    oidcClientId?: string;
    oidcClientSecretFile?: string;
    oidcGroupsFile?: string;
    oidcGroupsClaim?: string;
    oidcScope?: string;
    oidcSessionMinutes?: number;
}

/** Declares the options for the sign-in to the dashboard with an identity provider. */
export function oidcOptions(): readonly Option[] {
    return [
        new Option(
            "--oidc-issuer <url>",
            "identity provider (OpenID Connect) with which people sign in to the dashboard, by its issuer's address",
        ),
        new Option("--oidc-client-id <id>", "id of this service as a client of the provider"),
        new Option("--oidc-client-secret-file <file>", "file with the client's secret (default: a public client)"),
        new Option(
            "--oidc-groups-file <file>",
            'JSON file with the rights of each group: {"docs-team": {"scopes": ["read", "export"], "domains": ["docs.example.com"]}}',
        ),
        new Option("--oidc-groups-claim <name>", "claim with a person's groups (default: groups)"),
        new Option("--oidc-scope <scopes>", 'scopes of the request (default: "openid profile email")'),
        new Option("--oidc-session-minutes <minutes>", "after this time, people sign in again (default: 60)").argParser(
            readCount,
        ),
    ];
}

/** @throws UsageError */
export function readOidc(settings: OidcSettings): OidcOptions | undefined {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcGroupsFile: groupsFile, ...rest } = settings;
    const { oidcClientSecretFile: secretFile, oidcGroupsClaim, oidcScope, oidcSessionMinutes } = rest;
    if (issuer === undefined || clientId === undefined || groupsFile === undefined) {
        if (Object.keys(settings).some((name) => name.startsWith("oidc"))) {
            throw new UsageError(
                "The sign-in with an identity provider needs --oidc-issuer, --oidc-client-id and --oidc-groups-file.",
            );
        }
        return undefined;
    }
    return {
        issuer,
        clientId,
        groups: readGroups(groupsFile),
        ...(secretFile === undefined ? {} : { clientSecret: () => readSecretFile(secretFile, name, howToGet) }),
        ...(oidcGroupsClaim === undefined ? {} : { groupsClaim: oidcGroupsClaim }),
        ...(oidcScope === undefined ? {} : { scope: oidcScope }),
        ...(oidcSessionMinutes === undefined ? {} : { sessionMinutes: oidcSessionMinutes }),
    };
}

const name = "client secret file of the identity provider";
const howToGet = "The identity provider shows the secret of each client.";

function readGroups(file: string): OidcOptions["groups"] {
    try {
        const groups: unknown = JSON.parse(readFileSync(file, "utf8"));
        if (typeof groups !== "object" || groups === null || Array.isArray(groups)) {
            throw new TypeError("it must contain an object");
        }
        return groups as OidcOptions["groups"];
    } catch (error) {
        throw new UsageError(`The groups file ${file} cannot be read: ${(error as Error).message}.`);
    }
}

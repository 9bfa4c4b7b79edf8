import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { type OidcOptions } from "@pulumi-static-export/service";
import { type FlagSettings, type OptionSpec, optionTable } from "@pulumi-static-export/service/options";
import { readFileSync } from "node:fs";
import { readSecretFile } from "../command-line/secret-file.js";
import { UsageError } from "../command-line/usage-error.js";

type OidcFlags = Partial<Pick<FlagSettings, Extract<keyof FlagSettings, `oidc${string}`>>>;

/** @throws UsageError */
export function readOidc(settings: OidcFlags): OidcOptions | undefined {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcGroupsFile: groupsFile, ...rest } = settings;
    const { oidcClientSecretFile: secretFile, oidcGroupsClaim, oidcScope, oidcSessionMinutes } = rest;
    if (issuer === undefined || clientId === undefined || groupsFile === undefined) {
        if (Object.entries(settings).some(isGiven)) {
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
        clientSecret: secretFile === undefined ? undefined : () => readSecretFile(secretFile, name, howToGet),
        groupsClaim: oidcGroupsClaim,
        scope: oidcScope,
        sessionMinutes: oidcSessionMinutes,
    };
}

function isGiven([option, value]: [string, unknown]): boolean {
    const { default: usual }: OptionSpec = optionTable[option as keyof typeof optionTable] ?? {};
    return option.startsWith("oidc") && value !== usual;
}

const name = "client secret file of the identity provider";
const howToGet = "The identity provider shows the secret of each client.";

function readGroups(file: string): OidcOptions["groups"] {
    try {
        const groups: unknown = JSON.parse(decodeText(readFileSync(file)));
        if (typeof groups !== "object" || groups === null || Array.isArray(groups)) {
            throw new TypeError("it must contain an object");
        }
        return groups as OidcOptions["groups"];
    } catch (error) {
        throw new UsageError(`The groups file ${file} cannot be read: ${(error as Error).message}.`);
    }
}

import { type Examination } from "./examination.js";
import { error, type Finding, ok, warning } from "./finding.js";
import { parseJson } from "./parse-json.js";

/** The settings that were found. Their values are never printed. */
export interface Settings {
    /** Takes precedence over the environment. */
    env: NodeJS.ProcessEnv;
    findings: Finding[];
}

type StackConfiguration = Partial<Record<string, { value?: string; secret?: boolean }>>;

const variables = {
    "static-export:baseUrl": "STATIC_EXPORT_BASE_URL",
    "static-export:adminApiKey": "STATIC_EXPORT_ADMIN_API_KEY",
    "static-export:adminKeyPrefix": "STATIC_EXPORT_ADMIN_KEY_PREFIX",
    "static-export:mirrorAccessKeyId": "AWS_ACCESS_KEY_ID",
    "static-export:mirrorSecretAccessKey": "AWS_SECRET_ACCESS_KEY",
    "static-export:mirrorSessionToken": "AWS_SESSION_TOKEN",
} as const;

/** The settings as a Pulumi program reads them: with --stack, the stack's configuration takes precedence. */
export async function readSettings({ options, env, run }: Examination): Promise<Settings> {
    if (options.stack === undefined) {
        return { env, findings: [] };
    }
    const { stack } = options;
    const result = await run("pulumi", ["config", "--json", "--show-secrets", "--stack", stack, "--non-interactive"]);
    const configuration = parseJson<StackConfiguration>(result);
    if (configuration === undefined) {
        const fix = "Check the name of the stack, pulumi login, and the passphrase or key of its secrets.";
        const reason = /^error: (.*)/m.exec(result?.stderr ?? "")?.[1] ?? "pulumi config failed";
        return { env, findings: [error("stack", `the configuration of ${stack} cannot be read: ${reason}`, fix)] };
    }
    const found = Object.entries(variables).flatMap(([key, variable]) => {
        const value = configuration[key]?.value;
        return value === undefined ? [] : [[variable, value] as const];
    });
    const key = configuration["static-export:adminApiKey"];
    const isClear = key?.value !== undefined && key.secret !== true;
    return {
        env: { ...env, ...Object.fromEntries(found) },
        findings: [
            isClear
                ? warning(
                      "stack",
                      `static-export:adminApiKey is in plain text in the configuration of ${stack}`,
                      "Run pulumi config set --secret static-export:adminApiKey with a new key, and revoke the old one.",
                  )
                : ok("stack", `the configuration of ${stack} was read`),
        ],
    };
}

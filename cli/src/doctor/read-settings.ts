import {
    apiSettings,
    apiVariables,
    mirrorSettings,
    mirrorVariables,
    runSetting,
    runVariable,
} from "@pulumi-static-export/contract";
import { type Examination } from "./examination.js";
import { error, type Finding, ok, warning } from "./finding.js";
import { parseJson } from "./parse-json.js";

/** The configured settings, whose values are never printed. */
export interface Settings {
    /** Takes precedence over the environment. */
    env: NodeJS.ProcessEnv;
    findings: Finding[];
}

type StackConfiguration = Partial<Record<string, { value?: string; secret?: boolean }>>;

const names = { ...apiSettings, ...mirrorSettings, runId: runSetting };
const variables = { ...apiVariables, ...mirrorVariables, runId: runVariable };

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
    const found = Object.entries(names).flatMap(([setting, name]) => {
        const value = configuration[name]?.value;
        return value === undefined ? [] : [[variables[setting as keyof typeof names], value] as const];
    });
    const key = configuration[apiSettings.adminApiKey];
    const isClear = key?.value !== undefined && key.secret !== true;
    return {
        env: { ...env, ...Object.fromEntries(found) },
        findings: [
            isClear
                ? warning(
                      "stack",
                      `${apiSettings.adminApiKey} is in plain text in the configuration of ${stack}`,
                      `Run pulumi config set --secret ${apiSettings.adminApiKey} with a new key, and revoke the old one.`,
                  )
                : ok("stack", `the configuration of ${stack} was read`),
        ],
    };
}

import { Option } from "commander";
import { UsageError } from "../command-line/usage-error.js";
import { readPair, withEntry } from "./named-values.js";

/** Option for the repositories of sites: a token's variable by the origin that gets the token. */
export function gitTokenOption(): Option {
    return new Option(
        "--git-token-env <origin=name>",
        "environment variable with the token, or user:password, for sites in repositories of an origin (repeatable)",
    ).argParser((text: string, names: Record<string, string> = {}) => {
        const [origin, name] = readPair(text, "https://git.example.com=DOCS_GIT_TOKEN");
        return withEntry(names, origin, name);
    });
}

/** The tokens by origin. @throws UsageError */
export function readGitTokens(names: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
    return Object.fromEntries(
        Object.entries(names).map(([origin, name]) => {
            const token = env[name];
            if (!token) {
                throw new UsageError(`--git-token-env ${origin}=${name}: the environment variable ${name} is not set.`);
            }
            return [origin, token];
        }),
    );
}

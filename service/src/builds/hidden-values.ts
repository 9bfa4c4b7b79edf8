import { Secrets } from "../output/secret-filter.js";
import { type BuildRequest } from "./builder.js";

/**
 * Runs a build so that no line about it, and not its error, contains one of the values: also lines of the service quote
 * names of files, which a build chooses.
 * @param values that no log may contain
 */
export async function hideValues<T>(
    values: readonly string[],
    request: BuildRequest,
    run: (request: BuildRequest) => Promise<T>,
): Promise<T> {
    const secrets = new Secrets(values);
    return run({ ...request, onLine: (line) => request.onLine(secrets.remove(line)) }).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : "";
        const safe = secrets.remove(message);
        // The causes of such an error contain the value, too.
        throw safe === message ? error : new Error(safe);
    });
}

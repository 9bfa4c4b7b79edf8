import { findClearAdminKey } from "../preview/log/clear-admin-key.js";
import { type EngineEvent } from "../preview/log/engine-event.js";
import { asRecord, asString, secretTexts } from "../preview/log/property-value.js";

const secretName = /token|secret|passw|passphrase|api_?key|access_?key|private_?key|credential/i;
/** Shorter values are common words and numbers. */
const minSecretLength = 8;

/**
 * Strings that must never be shown: secrets that the log contains in plain text, configuration values with the name of
 * a secret, and secrets in the environment of this process.
 */
export function findSecretTexts(events: readonly EngineEvent[], env: NodeJS.ProcessEnv): string[] {
    const states = events.flatMap(({ resourcePreEvent, resOutputsEvent }) =>
        [resourcePreEvent?.metadata, resOutputsEvent?.metadata].flatMap((step) => [step?.old, step?.new]),
    );
    const config = events.flatMap(({ preludeEvent }) => Object.entries(asRecord(preludeEvent?.config)));
    const named = [...config, ...Object.entries(env)]
        .filter(([name]) => secretName.test(name))
        .flatMap(([, value]) => asString(value) ?? [])
        .filter((value) => value !== "[secret]");
    const found = [...states.flatMap(secretTexts), ...named].filter((value) => value.length >= minSecretLength);
    const adminKey = findClearAdminKey(events);
    return adminKey === undefined ? found : [...found, adminKey];
}

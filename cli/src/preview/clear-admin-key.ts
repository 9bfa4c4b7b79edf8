import { type EngineEvent } from "./engine-event.js";
import { asRecord, asString } from "./property-value.js";

const keySetting = "static-export:adminApiKey";

/** What the engine writes instead of a value that is set with --secret. */
const blinded = "[secret]";

/** The admin API key where it stands in the stack's configuration without --secret. Never to be shown. */
export function findClearAdminKey(events: readonly EngineEvent[]): string | undefined {
    for (const { preludeEvent } of events) {
        const value = asString(asRecord(preludeEvent?.config)[keySetting]);
        if (value !== undefined && value !== "" && value !== blinded) {
            return value;
        }
    }
    return undefined;
}

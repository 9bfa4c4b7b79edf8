import { apiSettings } from "@pulumi-static-export/contract";
import { type EngineEvent } from "./engine-event.js";
import { asRecord, asString } from "./property-value.js";

/** The engine writes this in place of a value that was set with --secret. */
const blinded = "[secret]";

/** The admin API key, if the stack's configuration contains it without --secret. The key must never be shown. */
export function findClearAdminKey(events: readonly EngineEvent[]): string | undefined {
    for (const { preludeEvent } of events) {
        const value = asString(asRecord(preludeEvent?.config)[apiSettings.adminApiKey]);
        if (value !== undefined && value !== "" && value !== blinded) {
            return value;
        }
    }
    return undefined;
}

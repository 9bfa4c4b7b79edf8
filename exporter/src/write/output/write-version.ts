import { ownFolder } from "../../read/files/published-names.js";
import { type SiteOutput } from "./site-output.js";

/** Writes the export's label. No other file contains it, so that publishing a version sends only what has changed. */
export async function writeVersion(root: SiteOutput, version: string | undefined): Promise<void> {
    if (version !== undefined) {
        await root.write(`${ownFolder}/version.json`, `${JSON.stringify({ version })}\n`);
    }
}

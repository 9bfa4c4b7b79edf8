import { amount, type BundleFacts, describeApiRequests, describeOutbound } from "@pulumi-static-export/contract";
import { readBundleFacts } from "@pulumi-static-export/sdk/internal";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withInterruption } from "../command-line/interruption.js";
import { UsageError } from "../command-line/usage-error.js";
import { openSite } from "../export/open-site.js";
import { type DoctorOptions } from "./examination.js";
import { type Finding, ok, skipped, warning } from "./finding.js";

const check = "site";

/**
 * Reports the data that the pages of an exported site send, with one finding for each receiver. Without `--site`,
 * returns no findings.
 */
export async function checkSite({ site: place, ...client }: DoctorOptions): Promise<Finding[]> {
    if (place === undefined) {
        return [];
    }
    const scratch = await mkdtemp(join(tmpdir(), "static-export-doctor-"));
    try {
        const { folder } = await withInterruption((signal) =>
            openSite({ place, scratch: join(scratch, "site"), client }, signal),
        );
        const facts = await readBundleFacts(folder);
        return facts === undefined
            ? [
                  skipped(
                      check,
                      `${place} does not say what it contains: an earlier release or another program exported it`,
                  ),
              ]
            : findingsOf(facts);
    } catch (error) {
        if (error instanceof UsageError) {
            return [{ check, status: "error", found: error.message, fix: "Give the folder or archive of an export." }];
        }
        throw error;
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

function findingsOf(facts: BundleFacts): Finding[] {
    const sends = describeOutbound(facts);
    const isAirGapped = facts.deployment === "air-gapped";
    const apis = describeApiRequests(facts).map((text) => ok(check, `sends ${text}`));
    if (sends.length === 0) {
        return [
            ok(
                check,
                `sends nothing out of its network (${facts.deployment}, ${amount(facts.pages, "page", "pages")})`,
            ),
            ...apis,
        ];
    }
    const fix =
        "Export the site again with this release, which leaves out such requests. Move pictures of other hosts into " +
        "the site.";
    const found = sends.map((text) =>
        isAirGapped
            ? warning(check, `sends ${text}, but is for an air-gapped deployment`, fix)
            : ok(check, `sends ${text}`),
    );
    return [...found, ...apis];
}

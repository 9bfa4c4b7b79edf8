import { missingRequirements } from "../../../../dev/cluster/src/local/node/requirements.js";

/**
 * Skips a spec, with the reason, if this machine cannot run a local cluster.
 *
 * @throws if STATIC_EXPORT_REQUIRE_CLUSTER is set, as in `.ci/run`, where a skip would look like a pass.
 */
export async function skipWithoutCluster(
    spec: { skip(): void },
    { look = missingRequirements, isRequired = Boolean(process.env.STATIC_EXPORT_REQUIRE_CLUSTER) } = {},
): Promise<void> {
    const missing = await look();
    if (missing.length === 0) {
        return;
    }
    const reason = missing.join("; ");
    if (isRequired) {
        throw new Error(
            `No local cluster can be started here: ${reason}. STATIC_EXPORT_REQUIRE_CLUSTER is set, so what needs one ` +
                "may not be skipped. Run this on another machine, or unset it.",
        );
    }
    console.log(`      skipped: ${reason}`);
    spec.skip();
}

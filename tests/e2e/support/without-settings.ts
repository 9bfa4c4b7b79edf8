import { pipelineSystems } from "@pulumi-static-export/contract";

/** A spec must not count as part of the pipeline's run, because it would find the jobs of other specs. */
const ciMarkers = Object.values(pipelineSystems).map(({ marker }): [string, undefined] => [marker, undefined]);

/**
 * The environment without the user's settings: a developer may also use a platform, and specs about a missing key must
 * not find one.
 */
export const withoutSettings = {
    STATIC_EXPORT_BASE_URL: undefined,
    STATIC_EXPORT_ADMIN_API_KEY: undefined,
    STATIC_EXPORT_ADMIN_KEY_PREFIX: undefined,
    STATIC_EXPORT_RUN_ID: undefined,
    CI: undefined,
    ...Object.fromEntries(ciMarkers),
};
